from django.conf import settings
from django.db import models


class AlertEvent(models.Model):
    """An alert of a batch set aside by a person, or shown again. Append-only; the last one of an alert holds.

    An alert is known by its rule and by what it is about: a pseudonym, a topic's number, or nothing where that is the
    batch. `level` is how bad it was when it was set aside, in the rule's own unit, higher is worse: once it has become
    worse, it comes back.
    """

    class Action(models.TextChoices):
        SET_ASIDE = "set_aside", "Set aside"
        SHOW = "show", "Shown again"

    batch = models.ForeignKey("annotation.Batch", models.PROTECT, related_name="alert_events")
    rule = models.CharField(max_length=20)
    about = models.CharField(max_length=200, blank=True)
    action = models.CharField(max_length=10, choices=Action.choices)
    level = models.FloatField()
    note = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(note=""), name="alert_event_has_note"),
            models.CheckConstraint(condition=models.Q(action__in=["set_aside", "show"]), name="alert_action_known"),
        ]
