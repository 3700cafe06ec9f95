"""Deleting a batch: from the first moment nobody sees it, and its name is free; its items are cleared in portions."""

from time import monotonic

from django.db import transaction
from django.db.models import Q, QuerySet

from annotation.batches.steps.batches import BatchError, locked_batch, refuse_imported
from annotation.batches.steps.layout.part import always, clear_items
from annotation.kernel.audit import record_audit
from annotation.kernel.visible import CLOSING
from annotation.models import Assignment, Batch, Item, Participation, User

State = Batch.State
GOING = Q(state=State.IMPORTING, brought_by__isnull=True, name__startswith=CLOSING)  # out of sight, on their way out
_MADE_WITH = ("information", "qualification", "steered_by", "most_judgments", "target_probability")  # free at once
REQUEST = 5.0  # seconds that somebody waits; the worker clears the rest


def delete_batch(batch: Batch, *, actor: User | None, within: float | None = None) -> None:
    """Delete a draft, or a layout that nobody has met. Raises `BatchError` otherwise.

    `within`: seconds, after which what is left of its items is the worker's (`sweep_deleted`).
    """
    _take_out_of_sight(batch, actor)
    end = None if within is None else monotonic() + within
    _clear(batch, end)


def sweep_deleted() -> int:
    """Clear what deletions have left, and what ended in the middle of one; of how many batches."""
    batches = list(Batch.objects.filter(GOING).order_by("pk"))
    for batch in batches:
        _clear(batch, None)
    return len(batches)


@transaction.atomic
def _take_out_of_sight(batch: Batch, actor: User | None) -> None:
    refuse_imported(batch)
    current = locked_batch(batch, State.DRAFT, State.LAID_OUT, refusal="A batch that was opened stays.")
    if Assignment.objects.filter(batch=current).exists():
        raise BatchError("People have judged in this batch; it stays.")
    record_audit("batch deleted", actor=actor, collection=current.collection, subject=current.name)
    Participation.objects.filter(batch=current).delete()
    current.state, current.name = State.IMPORTING, f"{CLOSING}{current.token}"
    current.information = current.qualification = current.steered_by = None
    current.most_judgments = current.target_probability = None
    current.save(update_fields=["state", "name", *_MADE_WITH])


def _clear(batch: Batch, end: float | None) -> None:
    clear_items(batch, GOING, always if end is None else lambda: monotonic() < end)
    with transaction.atomic():
        if _locked(batch) and not Item.objects.filter(batch=batch).exists():
            batch.delete()


def _locked(batch: Batch) -> "QuerySet[Batch]":
    return Batch.objects.filter(GOING, pk=batch.pk).select_for_update()
