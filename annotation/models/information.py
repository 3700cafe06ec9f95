from django.conf import settings
from django.db import models


class InformationVersion(models.Model):
    """What people are told before they take part (Markdown), as it stood at one time. Never changed once stored."""

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="information_versions")
    number = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    text = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["collection", "number"], name="information_number_once"),
            models.UniqueConstraint(fields=["collection", "sha256"], name="information_text_once"),
        ]

    def __str__(self) -> str:
        return f"Version {self.number} of {self.created_at:%Y-%m-%d}"


class Consent(models.Model):
    """That a person has agreed to take part after reading this text. Never changed once stored."""

    annotator = models.ForeignKey("annotation.Annotator", models.PROTECT, related_name="+")
    information = models.ForeignKey("annotation.InformationVersion", models.PROTECT, related_name="consents")
    given_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["annotator", "information"], name="consent_once")]
