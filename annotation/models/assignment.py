from django.db import models

from annotation.models.tokens import new_token


class Assignment(models.Model):
    """One person's meeting with an item; never deleted. Holds a slot while leased and once judged.

    A lost lease, a skip or "later" gives the slot back. A judgment that came too late for its slot is `surplus`; one
    that was made elsewhere and imported is `brought`.
    """

    class State(models.TextChoices):
        LEASED = "leased", "Leased"
        JUDGED = "judged", "Judged"
        SURPLUS = "surplus", "Judged too late"
        SKIPPED = "skipped", "Skipped"
        LATER = "later", "Put off"
        EXPIRED = "expired", "Lease lost"
        BROUGHT = "brought", "Judged elsewhere"

    class SkipReason(models.TextChoices):
        BROKEN = "broken", "The document is broken or empty"
        LANGUAGE = "language", "I cannot read its language"
        UNCLEAR = "unclear", "The topic is unclear"
        CONFLICT = "conflict", "I have a conflict of interest"
        OTHER = "other", "Another reason"

    CANNOT_JUDGE = (SkipReason.BROKEN, SkipReason.LANGUAGE, SkipReason.UNCLEAR)

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="+")
    batch = models.ForeignKey("annotation.Batch", models.PROTECT, related_name="assignments", db_index=False)
    item = models.ForeignKey("annotation.Item", models.PROTECT, related_name="assignments", db_index=False)
    annotator = models.ForeignKey("annotation.Annotator", models.PROTECT, related_name="assignments", db_index=False)
    slot = models.OneToOneField("annotation.Slot", models.PROTECT, null=True, related_name="assignment")
    reading = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=8, choices=State.choices, default=State.LEASED)
    guideline = models.ForeignKey(
        "annotation.GuidelineVersion", models.PROTECT, null=True, related_name="+", db_index=False
    )
    skip_reason = models.CharField(max_length=10, choices=SkipReason.choices, blank=True)
    skip_note = models.TextField(blank=True)
    claimed_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "annotator", "reading"], name="assignment_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=["leased", "judged"], slot__isnull=False)
                | models.Q(state__in=["surplus", "skipped", "later", "expired", "brought"], slot__isnull=True),
                name="assignment_slot_with_state",
            ),
            models.CheckConstraint(
                condition=models.Q(state="skipped") & ~models.Q(skip_reason="")
                | ~models.Q(state="skipped") & models.Q(skip_reason=""),
                name="assignment_skip_reason_with_state",
            ),
        ]
        indexes = [
            models.Index(fields=["batch", "annotator", "state"], name="assignment_by_person"),
            models.Index(fields=["annotator", "claimed_at"], name="assignment_latest"),
            models.Index(fields=["batch", "state"], name="assignment_skipped", condition=models.Q(state="skipped")),
        ]


class Card(models.Model):
    """A form handed out for an assignment: its token is fencing token and idempotency key at once.

    Each lease and each reopening issues a new card; `revision` is the revision that a submission of it writes.
    `shown_at`: when it came to lie in front of the person, for a card that was handed out ahead of its turn. `pages`:
    the open pages that have fetched it ahead, as they name themselves, with blanks between.
    """

    assignment = models.ForeignKey("annotation.Assignment", models.PROTECT, related_name="cards")
    token = models.CharField(max_length=22, unique=True, default=new_token)
    revision = models.PositiveIntegerField()
    issued_at = models.DateTimeField()
    shown_at = models.DateTimeField(null=True)
    pages = models.TextField(blank=True)
