from django.conf import settings
from django.db import models


class Annotator(models.Model):
    """Who judged, as a pseudonym within a collection. Judgments from elsewhere have an annotator without a user."""

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="annotators")
    pseudonym = models.CharField(max_length=100)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="annotators")
    brought_by = models.ForeignKey("annotation.Import", models.PROTECT, null=True, related_name="annotators")
    simulated = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["collection", "pseudonym"], name="annotator_pseudonym_once"),
            models.UniqueConstraint(fields=["collection", "user"], name="annotator_user_once"),
        ]

    def __str__(self) -> str:
        return self.pseudonym
