from django.conf import settings
from django.db import models


class Knew(models.TextChoices):
    """What kept an adjudicator from being blind."""

    NOTHING = "", "blind"
    JUDGED = "judged", "had judged the pair as annotator"
    SEEN = "seen", "had seen what people said of it"
    GOLD = "gold", "could look up its gold"


class Adjudication(models.Model):
    """An adjudicator's grade for a pair, with the reason. Append-only; the last of a pair and criterion holds.

    `blind_grade` is the adjudicator's own, given before anybody's grade was shown; none where there was no such
    reading. Milliseconds on the clock: `blind_ms` from opening the pair to the blind grade (none where the grade itself
    opened it, or the decision is older than readings), `decide_ms` from there to the decision.
    """

    class Action(models.TextChoices):
        DECIDE = "decide", "Decided"
        WITHDRAW = "withdraw", "Withdrawn"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="adjudications")
    topic = models.ForeignKey("annotation.Topic", models.PROTECT, related_name="+")
    document = models.ForeignKey("annotation.Document", models.PROTECT, related_name="+")
    criterion = models.CharField(max_length=50, default="relevance")
    scale = models.ForeignKey("annotation.ScaleVersion", models.PROTECT, related_name="+")
    action = models.CharField(max_length=8, choices=Action.choices, default=Action.DECIDE)
    grade = models.IntegerField(null=True)
    blind_grade = models.IntegerField(null=True)
    knew = models.CharField(max_length=8, choices=Knew.choices, blank=True)
    blind_ms = models.PositiveBigIntegerField(null=True)
    decide_ms = models.PositiveBigIntegerField(null=True)
    reason = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(reason=""), name="adjudication_has_reason"),
            models.CheckConstraint(
                condition=models.Q(action="decide", grade__isnull=False)
                | models.Q(action="withdraw", grade__isnull=True, blind_grade__isnull=True),
                name="adjudication_grade_with_action",
            ),
            models.CheckConstraint(
                condition=models.Q(knew__in=["", "judged", "seen", "gold"]), name="adjudication_knew_known"
            ),
        ]
        indexes = [models.Index(fields=["collection", "topic", "document"], name="adjudication_by_pair")]

    @property
    def changed(self) -> bool | None:
        """Whether the others' grades changed the adjudicator's mind; None where there was no grade before."""
        return None if self.blind_grade is None else self.blind_grade != self.grade


class AdjudicationReading(models.Model):
    """An adjudicator's meeting with a pair: one that is `OPEN` keeps others off it until `held_until`.

    `grade` is the blind grade, `seen_at` when the others' grades were first shown: no page has them before. `knew` is
    what the person knew when they opened it; the decision says so, too.
    """

    class State(models.TextChoices):
        OPEN = "open", "Open"
        DECIDED = "decided", "Decided"
        LEFT = "left", "Left for another"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="+", db_index=False)
    topic = models.ForeignKey("annotation.Topic", models.PROTECT, related_name="+")
    document = models.ForeignKey("annotation.Document", models.PROTECT, related_name="+")
    criterion = models.CharField(max_length=50)
    scale = models.ForeignKey("annotation.ScaleVersion", models.PROTECT, related_name="+")
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    state = models.CharField(max_length=7, choices=State.choices, default=State.OPEN)
    knew = models.CharField(max_length=8, choices=Knew.choices, blank=True)
    grade = models.IntegerField(null=True)
    opened_at = models.DateTimeField()
    held_until = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "document", "criterion"],
                condition=models.Q(state="open"),
                name="adjudication_reading_open_once",
            ),
            models.CheckConstraint(
                condition=models.Q(grade__isnull=True) | models.Q(seen_at__isnull=False),
                name="adjudication_reading_seen_once_graded",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["open", "decided", "left"]), name="adjudication_reading_state_known"
            ),
        ]
        indexes = [models.Index(fields=["collection", "reader", "state"], name="adjudication_reading_by")]


class SentPair(models.Model):
    """A pair that somebody has sent to those who decide, and why. It waits until the next decision on the pair."""

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="+")
    topic = models.ForeignKey("annotation.Topic", models.PROTECT, related_name="+")
    document = models.ForeignKey("annotation.Document", models.PROTECT, related_name="+")
    criterion = models.CharField(max_length=50)
    reason = models.CharField(max_length=500)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "document", "criterion"],
                condition=models.Q(decided_at=None),
                name="sent_pair_waits_once",
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="sent_pair_has_reason"),
        ]
