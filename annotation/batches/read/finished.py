"""Batches in which nothing is left to judge, though they still run: somebody may close them."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.batches.read.batches import JUDGED, SHARED
from annotation.batches.read.overlap import is_due
from annotation.kernel.visible import visible_batches
from annotation.models import Batch, Collection, Slot

RUNNING = (Batch.State.OPEN, Batch.State.PAUSED)


def finished_batches(collection: Collection) -> list[Batch]:
    """Open or paused, with judgments, and every pair that is handed out has all of its own; the newest first.

    Pairs that people could not judge are not handed out. Of a batch that a policy steers, once it has looked.
    """
    begun, left = Slot.objects.filter(SHARED, JUDGED, batch=OuterRef("pk")), _left(OuterRef("pk"))
    batches = visible_batches(collection).filter(Exists(begun), ~Exists(left), state__in=RUNNING)
    return [batch for batch in batches.order_by("-pk") if batch.steered_by_id is None or not is_due(batch)]


def judgments_left(batch: Batch) -> int:
    """How many the pairs that are handed out still lack; gold, checks and repeats come on top."""
    return _left(batch.pk).count()


def _left(batch: int | OuterRef) -> "QuerySet[Slot]":
    return Slot.objects.filter(SHARED, batch=batch).exclude(Q(item__withheld=True) | JUDGED)
