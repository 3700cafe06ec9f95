"""Batches in which nothing is left to judge, though they still run: somebody may close them."""

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum

from annotation.batches.read.batches import JUDGED, SHARED
from annotation.batches.read.overlap import is_due
from annotation.kernel.visible import visible_batches
from annotation.models import Batch, Block, Collection, Slot

RUNNING = (Batch.State.OPEN, Batch.State.PAUSED)
FREE = Q(kind__lt=Block.Kind.FULL)  # blocks with open slots that anyone may come to hold


def finished_batches(collection: Collection) -> list[Batch]:
    """Open or paused, with judgments, and every pair that is handed out has all of its own; the newest first.

    Pairs that people could not judge are not handed out. Of a batch that a policy steers, once it has looked.
    """
    of_batch = {"batch": OuterRef("pk")}
    begun, is_free = Slot.objects.filter(SHARED, JUDGED, **of_batch), Block.objects.filter(FREE, **of_batch)
    batches = visible_batches(collection).filter(state__in=RUNNING)
    batches = batches.filter(~Exists(is_free), ~Exists(_leased(**of_batch)), Exists(begun))
    return [batch for batch in batches.order_by("-pk") if batch.steered_by_id is None or not is_due(batch)]


def judgments_left(batch: Batch) -> int:
    """How many the pairs that are handed out still lack; gold, checks and repeats come on top."""
    free = Block.objects.filter(FREE, batch=batch).aggregate(n=Sum(F("n_open") + F("n_transferable"), default=0))
    return int(free["n"]) + _leased(batch=batch).count()


def _leased(**of_batch: Batch | OuterRef) -> "QuerySet[Slot]":
    return Slot.objects.filter(SHARED, state=Slot.State.LEASED, item__withheld=False, **of_batch)
