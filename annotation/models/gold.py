from django.conf import settings
from django.db import models


class GoldEvent(models.Model):
    """Gold set or withdrawn for a pair. Append-only: the last event of a pair and criterion is what holds.

    `reason` is for admins; `explanation` is what people who judged the pair are told once feedback is due.
    """

    class Action(models.TextChoices):
        SET = "set", "Set"
        WITHDRAW = "withdraw", "Withdrawn"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="gold_events")
    topic = models.ForeignKey("annotation.Topic", models.PROTECT, related_name="+")
    document = models.ForeignKey("annotation.Document", models.PROTECT, related_name="+")
    criterion = models.CharField(max_length=50, default="relevance")
    scale = models.ForeignKey("annotation.ScaleVersion", models.PROTECT, related_name="+")
    action = models.CharField(max_length=8, choices=Action.choices)
    grade = models.IntegerField(null=True)
    accepted = models.JSONField(default=list)
    reason = models.TextField(blank=True)
    explanation = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(action="set", grade__isnull=False) | models.Q(action="withdraw", grade__isnull=True),
                name="gold_grade_with_action",
            )
        ]
        indexes = [models.Index(fields=["collection", "topic", "document", "criterion"], name="gold_by_pair")]
