from django.conf import settings
from django.db import models

from annotation.models.pause import Rule


class ExclusionEvent(models.Model):
    """An annotator taken out of the count, or brought back. Append-only; the judgments stay as they are.

    `rule`: which rule proposed it, or brought the person back; empty for by hand.
    """

    class Action(models.TextChoices):
        EXCLUDE = "exclude", "Excluded"
        REINSTATE = "reinstate", "Reinstated"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="exclusion_events")
    annotator = models.ForeignKey("annotation.Annotator", models.PROTECT, related_name="exclusion_events")
    action = models.CharField(max_length=10, choices=Action.choices)
    rule = models.CharField(max_length=10, choices=Rule.choices, blank=True)
    reason = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=~models.Q(reason=""), name="exclusion_has_reason")]
