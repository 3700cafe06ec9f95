from django.conf import settings
from django.db import models


class Run(models.Model):
    """A system's ranked answers. Stored packed in a content-addressed file, never a row a document."""

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="runs")
    tag = models.CharField(max_length=100)
    description = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)
    filename = models.CharField(max_length=255, blank=True)
    origin = models.JSONField(default=dict)  # what a run was fused of or searched with
    n_topics = models.PositiveIntegerField()
    n_rows = models.PositiveBigIntegerField()
    n_tied = models.PositiveBigIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["tag"]
        constraints = [models.UniqueConstraint(fields=["collection", "tag"], name="run_tag_once")]

    def __str__(self) -> str:
        return self.tag
