from django.conf import settings
from django.db import models


class Rule(models.TextChoices):
    """What made somebody be paused, excluded or brought back, where it was not a person's own idea."""

    STOP = "stop", "Watch, before clearing"
    ALARM = "alarm", "Watch, after clearing"
    SPEED = "speed", "Speed"
    ACCURACY = "accuracy", "Accuracy"
    CORRECTION = "correction", "Correction of what is known"


class PauseEvent(models.Model):
    """An annotator who gets no new cards for now, or gets them again. Append-only; what they judged counts as before.

    `reason` is for whoever leads the collection, `told` is what the person reads. `rule`: empty for by hand.
    """

    class Action(models.TextChoices):
        PAUSE = "pause", "Paused"
        RESUME = "resume", "Resumed"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="pause_events")
    annotator = models.ForeignKey("annotation.Annotator", models.PROTECT, related_name="pause_events")
    action = models.CharField(max_length=6, choices=Action.choices)
    rule = models.CharField(max_length=10, choices=Rule.choices, blank=True)
    reason = models.TextField()
    told = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(reason=""), name="pause_has_reason"),
            models.CheckConstraint(condition=models.Q(action__in=["pause", "resume"]), name="pause_action_known"),
        ]
