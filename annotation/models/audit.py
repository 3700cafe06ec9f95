from django.conf import settings
from django.db import models


class AuditEvent(models.Model):
    """Who did what, when. Append-only."""

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, null=True, related_name="audit_events")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    verb = models.CharField(max_length=50)
    subject = models.CharField(max_length=200, blank=True)
    detail = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["collection", "-created_at"], name="audit_by_collection")]

    @property
    def detail_rows(self) -> list[tuple[str, object]]:
        """Name and value of each detail. In a template, `detail.items` would mean a detail called "items"."""
        return [(name.replace("_", " "), value) for name, value in self.detail.items()]
