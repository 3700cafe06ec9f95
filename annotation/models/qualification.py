from django.conf import settings
from django.db import models

from annotation.models.tokens import new_token


class Qualification(models.Model):
    """A round of training that comes before a batch: pairs whose answer is explained after each grade.

    `pass_mark` is the share of first answers that have to be right; `most_attempts` 0 means as many as one likes.
    """

    class State(models.TextChoices):
        DRAFT = "draft", "Draft"
        OPEN = "open", "Open"
        CLOSED = "closed", "Closed"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="qualifications")
    token = models.CharField(max_length=22, unique=True, default=new_token)
    name = models.CharField(max_length=100)
    state = models.CharField(max_length=6, choices=State.choices, default=State.DRAFT)
    scale = models.ForeignKey("annotation.ScaleVersion", models.PROTECT, related_name="+")
    pass_mark = models.FloatField(default=0.7)
    most_attempts = models.PositiveSmallIntegerField(default=2)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["collection", "name"], name="qualification_name_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=["draft", "open", "closed"]), name="qualification_state_known"
            ),
            models.CheckConstraint(
                condition=models.Q(pass_mark__gte=0, pass_mark__lte=1), name="qualification_pass_mark_is_share"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class QualificationItem(models.Model):
    """A pair of the round, with the versions of its texts pinned, the grades that are right, and what is said of it."""

    qualification = models.ForeignKey("annotation.Qualification", models.CASCADE, related_name="items")
    token = models.CharField(max_length=22, unique=True, default=new_token)
    position = models.PositiveIntegerField()
    topic_version = models.ForeignKey("annotation.TopicVersion", models.PROTECT, related_name="+")
    document_version = models.ForeignKey("annotation.DocumentVersion", models.PROTECT, related_name="+")
    accepted = models.JSONField(default=list)
    hint = models.TextField(blank=True)
    explanation = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["qualification", "position"], name="qualification_position_once")
        ]


class QualificationAttempt(models.Model):
    """One person's way through a round; `passed` is None until its last pair is answered."""

    qualification = models.ForeignKey("annotation.Qualification", models.PROTECT, related_name="attempts")
    annotator = models.ForeignKey("annotation.Annotator", models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    passed = models.BooleanField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["qualification", "annotator", "number"], name="qualification_attempt_once"),
            models.CheckConstraint(
                condition=models.Q(ended_at__isnull=True, passed__isnull=True)
                | models.Q(ended_at__isnull=False, passed__isnull=False),
                name="qualification_attempt_ends_with_result",
            ),
        ]


class QualificationAnswer(models.Model):
    """The first answer to a pair in an attempt; there is no second."""

    attempt = models.ForeignKey("annotation.QualificationAttempt", models.PROTECT, related_name="answers")
    item = models.ForeignKey("annotation.QualificationItem", models.PROTECT, related_name="+")
    grade = models.IntegerField()
    answered_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["attempt", "item"], name="qualification_answer_once")]
