from django.conf import settings
from django.db import models

from annotation.models.tokens import new_token


class Appeal(models.Model):
    """A person's objection to what they were told of a judgment of theirs, and the answer to it.

    `told_grade`: the grade that they object to, which an answer may have changed since. `event`: what was changed by an
    appeal that was upheld. `seen_at`: when the person marked the answer as read.
    """

    class State(models.TextChoices):
        OPEN = "open", "Open"
        UPHELD = "upheld", "Upheld"
        DECLINED = "declined", "Declined"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="appeals")
    token = models.CharField(max_length=22, unique=True, default=new_token)
    feedback = models.ForeignKey("annotation.Feedback", models.PROTECT, related_name="appeals")
    annotator = models.ForeignKey("annotation.Annotator", models.PROTECT, related_name="appeals")
    topic = models.ForeignKey("annotation.Topic", models.PROTECT, related_name="+")
    document = models.ForeignKey("annotation.Document", models.PROTECT, related_name="+")
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    told_grade = models.IntegerField()
    reason = models.TextField()
    answer = models.TextField(blank=True)
    event = models.ForeignKey("annotation.GoldEvent", models.PROTECT, null=True, related_name="+")
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["annotator", "topic", "document"],
                condition=models.Q(state="open"),
                name="appeal_open_once",
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="appeal_has_reason"),
            models.CheckConstraint(
                condition=models.Q(state="open", answer="", answered_at__isnull=True)
                | models.Q(state__in=["upheld", "declined"], answered_at__isnull=False) & ~models.Q(answer=""),
                name="appeal_answer_with_state",
            ),
        ]
        indexes = [models.Index(fields=["collection", "state"], name="appeal_by_collection")]

    @property
    def is_answered(self) -> bool:
        return self.state != Appeal.State.OPEN

    @property
    def is_unread(self) -> bool:
        """Whether there is an answer that the person has not marked as read."""
        return self.is_answered and self.seen_at is None
