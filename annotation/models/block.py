from django.db import models


class Block(models.Model):
    """A block of a batch, with what its slots come to: whoever changes a slot keeps the row (`kernel.blocks`).

    `n_open`: open slots that anybody may take, `n_transferable`: open ones kept for somebody that would fall to anyone;
    those of withheld items are in neither. `begun`: a slot of the block is judged. `n_freed`: how often slots have
    become free again, so that who found nothing here knows when to look anew.
    """

    batch = models.ForeignKey("annotation.Batch", models.CASCADE, related_name="blocks", db_index=False)
    number = models.PositiveIntegerField()
    topic = models.ForeignKey("annotation.Topic", models.PROTECT, related_name="+", db_index=False)
    n_open = models.IntegerField(default=0)
    n_transferable = models.IntegerField(default=0)
    n_freed = models.PositiveIntegerField(default=0)
    begun = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["batch", "number"], name="block_once")]


class LeftBlock(models.Model):
    """When the block's slots had become free `n_freed` times, it had nothing left for this person."""

    participation = models.ForeignKey(
        "annotation.Participation", models.CASCADE, related_name="left_blocks", db_index=False
    )
    block = models.ForeignKey("annotation.Block", models.CASCADE, related_name="+")
    n_freed = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["participation", "block"], name="left_block_once")]
