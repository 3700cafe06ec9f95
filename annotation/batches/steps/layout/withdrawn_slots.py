"""Taking back slots that were added to a batch and that its pairs need no more, where nobody holds or judged them."""

from collections import Counter
from collections.abc import Iterator

from django.db import transaction
from django.db.models import F

from annotation.batches.read.spare_slots import added_and_open, spare_slots
from annotation.batches.steps.layout.added_slots import CHUNK, Added, locked_batch
from annotation.kernel.audit import record_audit
from annotation.models import Batch, Slot, User


@transaction.atomic
def withdraw_slots(batch: Batch, *, reason: str, actor: User | None) -> Added:
    """Delete the added slots that are open and not needed any more; how many of each item. Raises `AddingRefused`.

    Whoever adds or withdraws at the same time waits at the batch. A slot that somebody is claiming this moment is
    passed over, and a claim passes over what is being deleted.
    """
    batch = locked_batch(batch)
    n_of: Counter[int] = Counter()
    chosen = list(_chosen(batch, n_of))
    for start in range(0, len(chosen), CHUNK):
        Slot.objects.filter(pk__in=chosen[start : start + CHUNK]).delete()
    withdrawn = Added(n_of)
    if chosen:
        _note(batch, withdrawn, reason, actor)
    return withdrawn


def _chosen(batch: Batch, n_of: Counter[int]) -> Iterator[int]:
    """The last slots of each item first, locked; `n_of` is written to."""
    spare = spare_slots(batch)
    items = sorted(spare)
    for start in range(0, len(items), CHUNK):
        slots = added_and_open(batch).filter(item__in=items[start : start + CHUNK]).order_by("item", "-n")
        free = slots.select_for_update(skip_locked=True, of=("self",))
        for slot, item in free.values_list("pk", "item"):
            if n_of[item] < spare[item]:
                n_of[item] += 1
                yield slot


def _note(batch: Batch, withdrawn: Added, reason: str, actor: User | None) -> None:
    Batch.objects.filter(pk=batch.pk).update(n_expected=F("n_expected") - withdrawn.n_slots)
    record_audit(
        "slots withdrawn",
        actor=actor,
        collection=batch.collection,
        subject=batch.name,
        slots=withdrawn.n_slots,
        items=withdrawn.n_items,
        reason=reason[:200],
    )
