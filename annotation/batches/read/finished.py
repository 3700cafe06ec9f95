"""Batches in which nothing is left to judge, though they still run: somebody may close them."""

from django.db.models import Exists, OuterRef

from annotation.batches.read.batches import FREE, JUDGED, SHARED, leased_slots
from annotation.batches.read.overlap import is_due
from annotation.kernel.visible import visible_batches
from annotation.models import Batch, Block, Collection, Slot


def finished_batches(collection: Collection) -> list[Batch]:
    """Open or paused, with judgments, and every pair that is handed out has all of its own; the newest first.

    Pairs that people could not judge are not handed out. Of a batch that a policy steers, once it has looked.
    """
    of_batch = {"batch": OuterRef("pk")}
    begun, is_free = Slot.objects.filter(SHARED, JUDGED, **of_batch), Block.objects.filter(FREE, **of_batch)
    batches = visible_batches(collection).filter(state__in=Batch.RUNNING)
    batches = batches.filter(~Exists(is_free), ~Exists(leased_slots(**of_batch)), Exists(begun))
    return [batch for batch in batches.order_by("-pk") if batch.steered_by_id is None or not is_due(batch)]
