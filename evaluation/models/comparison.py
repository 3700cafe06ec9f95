from django.db import models


class RunsComparison(models.Model):
    """Many runs compared by one measure, as the content-addressed file `sha256`. `key` is the hash of what was asked:
    asked again, nothing is drawn anew."""

    snapshot = models.ForeignKey("annotation.Snapshot", models.PROTECT, related_name="comparisons")
    key = models.CharField(max_length=64)
    measure = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["snapshot", "key"], name="runs_comparison_once")]
