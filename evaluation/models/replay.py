from django.db import models


class PoolingReplay(models.Model):
    """What ways to choose judgments would have made of a snapshot that is judged already. `key` is the hash of all that
    it rests on: asked again, nothing is drawn anew. `result` is what `pooling_replay --json` prints."""

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="pooling_replays")
    snapshot = models.ForeignKey("annotation.Snapshot", models.PROTECT, related_name="pooling_replays")
    key = models.CharField(max_length=64)
    result = models.JSONField()
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["collection", "key"], name="pooling_replay_once")]
