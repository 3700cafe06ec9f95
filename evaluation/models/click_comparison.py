from django.db import models


class ClickComparison(models.Model):
    """Clicks of a log beside the judgments of a snapshot. The log is the file of `sha256`; `figures` are those that
    `compare_clicks --json` prints, without its pairs; `drawing` is what a page draws of these."""

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="click_comparisons")
    snapshot = models.ForeignKey("annotation.Snapshot", models.PROTECT, related_name="click_comparisons")
    name = models.CharField(max_length=100)
    filename = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    figures = models.JSONField()
    drawing = models.JSONField()
    brought_by = models.ForeignKey("annotation.Import", models.PROTECT, related_name="click_comparisons")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["collection", "name"], name="click_comparison_once")]
