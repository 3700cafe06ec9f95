from django.db import models


class Report(models.Model):
    """A report as a zip in the content-addressed file `sha256`. `key` is the hash of all that it was made from: asked
    again, it is not made anew. `asked` holds the kind, the measures, the runs by tag and how they are compared.
    """

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="reports")
    snapshot = models.ForeignKey("annotation.Snapshot", models.PROTECT, related_name="reports")
    key = models.CharField(max_length=64)
    title = models.CharField(max_length=200)
    kind = models.CharField(max_length=10)
    asked = models.JSONField()
    sha256 = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["collection", "key"], name="report_once")]

    def __str__(self) -> str:
        return self.title
