from django.db import models
from django.db.models import Case, Value, When
from django.db.models.functions import Cast

SPREAD, PRIME = 1327217885, 2147483647  # a golden section of the prime: neighbours in number are far apart in place


class Block(models.Model):
    """A block of a batch, with what its slots come to: whoever changes a slot keeps the row (`kernel.blocks`).

    `n_open`: open slots that anybody may take, `n_transferable`: open ones kept for somebody that would fall to anyone;
    those of withheld items are in neither. `begun`: a slot of the block is judged. `n_freed`: how often slots have
    become free again, so that who found nothing here knows when to look anew.

    The database keeps two columns for whoever looks for a block: `kind`, in which order blocks are gone on to, and
    `place`, where the block stands on a ring on which everybody begins somewhere else.
    """

    class Kind(models.IntegerChoices):
        BEGUN = 0, "Open slots, begun"
        FRESH = 1, "Open slots"
        KEPT_BEGUN = 2, "Transferable slots, begun"
        KEPT_FRESH = 3, "Transferable slots"
        FULL = 4, "No free slot"

    batch = models.ForeignKey("annotation.Batch", models.CASCADE, related_name="blocks", db_index=False)
    number = models.PositiveIntegerField()
    topic = models.ForeignKey("annotation.Topic", models.PROTECT, related_name="+", db_index=False)
    n_open = models.IntegerField(default=0)
    n_transferable = models.IntegerField(default=0)
    n_freed = models.PositiveIntegerField(default=0)
    begun = models.BooleanField(default=False)
    kind = models.GeneratedField(
        expression=Case(
            When(n_open__gt=0, begun=True, then=Value(Kind.BEGUN)),
            When(n_open__gt=0, then=Value(Kind.FRESH)),
            When(n_transferable__gt=0, begun=True, then=Value(Kind.KEPT_BEGUN)),
            When(n_transferable__gt=0, then=Value(Kind.KEPT_FRESH)),
            default=Value(Kind.FULL),
        ),
        output_field=models.SmallIntegerField(choices=Kind.choices),
        db_persist=True,
    )
    place = models.GeneratedField(
        expression=(Cast("number", models.BigIntegerField()) + Value(1)) * Value(SPREAD) % Value(PRIME),
        output_field=models.BigIntegerField(),
        db_persist=True,
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["batch", "number"], name="block_once")]
        # of columns that stay as they are at most changes of the counts: those change no index then
        indexes = [models.Index(fields=["batch", "kind", "place"], name="block_by_kind")]


class LeftBlock(models.Model):
    """When the block's slots had become free `n_freed` times, it had nothing left for this person."""

    participation = models.ForeignKey(
        "annotation.Participation", models.CASCADE, related_name="left_blocks", db_index=False
    )
    block = models.ForeignKey("annotation.Block", models.CASCADE, related_name="+")
    n_freed = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["participation", "block"], name="left_block_once")]
