from django.db import models


class Slot(models.Model):
    """Room for one wanted judgment of an item; holds at most one assignment (`Assignment.slot` is one-to-one).

    A slot may be reserved for a person, who gets it once `due` cards of the block are behind them. `transferable`
    reservations fall to anyone when the open slots of the batch are gone; the others lapse. `reading` 2 is a repeat.
    `block`, `batch` and `collection` repeat the item's, for the claim; a repeat stands in another block.
    """

    class State(models.TextChoices):
        OPEN = "open", "Open"
        LEASED = "leased", "Leased"
        JUDGED = "judged", "Judged"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="+")
    batch = models.ForeignKey("annotation.Batch", models.PROTECT, related_name="slots")
    item = models.ForeignKey("annotation.Item", models.PROTECT, related_name="slots")
    n = models.PositiveIntegerField()
    block = models.PositiveIntegerField()
    state = models.CharField(max_length=6, choices=State.choices, default=State.OPEN)
    lease_until = models.DateTimeField(null=True)
    reserved_for = models.ForeignKey("annotation.Annotator", models.PROTECT, null=True, related_name="+")
    due = models.PositiveIntegerField(null=True)
    transferable = models.BooleanField(default=False)
    reading = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "n"], name="slot_n_once"),
            models.CheckConstraint(condition=models.Q(state__in=["open", "leased", "judged"]), name="slot_state_known"),
            models.CheckConstraint(
                condition=models.Q(reserved_for__isnull=True, due__isnull=True)
                | models.Q(reserved_for__isnull=False, due__isnull=False),
                name="slot_due_with_reservation",
            ),
            models.CheckConstraint(
                condition=models.Q(state="leased", lease_until__isnull=False)
                | (~models.Q(state="leased") & models.Q(lease_until__isnull=True)),
                name="slot_lease_with_state",
            ),
            models.CheckConstraint(condition=models.Q(reading__in=[1, 2]), name="slot_reading_1_or_2"),
        ]
        indexes = [
            models.Index(fields=["batch", "block", "state"], name="slot_claim"),
            models.Index(fields=["batch"], name="slot_open", condition=models.Q(state="open")),
            # not by `lease_until`: a lease is renewed without a change of any index
            models.Index(fields=["batch"], name="slot_leased", condition=models.Q(state="leased")),
        ]
