from django.db import models


class RankedPairs(models.Model):
    """Unjudged pairs ranked by what a judgment of each would change, where that took long. `key` is the hash of what
    was asked: asked again, nothing is looked at anew. `result` is what `judge_next --json` prints."""

    snapshot = models.ForeignKey("annotation.Snapshot", models.PROTECT, related_name="ranked_pairs")
    key = models.CharField(max_length=64)
    result = models.JSONField()
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["snapshot", "key"], name="ranked_pairs_once")]
