"""More slots for ordinary pairs of a batch that is laid out, claimed as any other; and taking back those not needed."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from django.db import transaction
from django.db.models import Count, F, Max, Q

from annotation.batches.read.replacements import added_and_open, spare_slots
from annotation.judging.steps.kept import let_go_elsewhere
from annotation.judging.steps.stock import FIRST_N
from annotation.kernel.audit import record_audit
from annotation.kernel.blocks import recount_blocks
from annotation.kernel.bulk_rows import tell_planner
from annotation.models import Batch, Item, Slot, User

CHUNK = 1000
MANY = 10_000  # slots, after which the database's plans are out of date
REFUSALS = {
    Batch.State.DRAFT: "This batch is a draft: lay it out first.",
    Batch.State.CLOSED: "This batch is closed. Reopen it first.",
    Batch.State.IMPORTING: "The judgments of this batch are being imported.",
}


class AddingError(Exception):
    """No slot can be added to this batch now; the message says why."""


@dataclass(frozen=True)
class SlotCounts:
    """`n_of`: how many slots each item got or lost, by item id; other items are not in it."""

    n_of: Mapping[int, int] = field(default_factory=dict)

    @property
    def n_items(self) -> int:
        return len(self.n_of)

    @property
    def n_slots(self) -> int:
        return sum(self.n_of.values())


@transaction.atomic
def add_slots(
    batch: Batch, wanted: Mapping[int, int], *, most: int | Mapping[int, int], reason: str, actor: User | None
) -> SlotCounts:
    """Add open slots, `wanted` by item id, to a batch that is laid out, open or paused. Raises `AddingError`.

    No item has more than `most` slots afterwards (a mapping: each its own), whoever else adds at the same time: callers
    take turns at the batch. So a step that was cut short is run again with the same `most`, and adds what was missing.
    Second readings do not count. Gold, checks, withheld items and those of other batches get none, silently.
    """
    batch = _locked_batch(batch)
    n_of: Counter[int] = Counter()
    rows = _slots(batch, wanted, most)
    blocks: set[int] = set()
    while portion := list(islice(rows, CHUNK)):
        Slot.objects.bulk_create(portion)
        n_of.update(slot.item_id for slot in portion)
        blocks.update(slot.block for slot in portion)
    if n_of:
        let_go_elsewhere(batch)
    recount_blocks(batch, blocks)
    added = SlotCounts(n_of)
    if n_of:
        _record(batch, "slots added", added, n_more=added.n_slots, reason=reason, actor=actor)
        if added.n_slots >= MANY:
            tell_planner(Slot)
    return added


@transaction.atomic
def withdraw_slots(batch: Batch, *, reason: str, actor: User | None) -> SlotCounts:
    """Delete the added slots that are open and not needed any more; how many of each item. Raises `AddingError`.

    Whoever adds or withdraws at the same time waits at the batch. A slot that somebody is claiming this moment is
    passed over, and a claim passes over what is being deleted.
    """
    batch = _locked_batch(batch)
    n_of: Counter[int] = Counter()
    chosen = list(_spare(batch, n_of))
    for start in range(0, len(chosen), CHUNK):
        Slot.objects.filter(pk__in=chosen[start : start + CHUNK]).delete()
    recount_blocks(batch, {block for _, block, *_ in _items(batch, sorted(n_of))})
    withdrawn = SlotCounts(n_of)
    if chosen:
        _record(batch, "slots withdrawn", withdrawn, n_more=-withdrawn.n_slots, reason=reason, actor=actor)
    return withdrawn


def _spare(batch: Batch, n_of: Counter[int]) -> Iterator[int]:
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


def _locked_batch(batch: Batch) -> Batch:
    """The batch as it is now, locked until the transaction ends. Judging goes on meanwhile."""
    batch = Batch.objects.select_for_update(of=("self",), no_key=True).select_related("collection").get(pk=batch.pk)
    if batch.brought_by_id is not None:
        raise AddingError("The judgments of this batch were made elsewhere. It cannot be changed.")
    if refusal := REFUSALS.get(Batch.State(batch.state)):
        raise AddingError(refusal)
    return batch


def _slots(batch: Batch, wanted: Mapping[int, int], most: int | Mapping[int, int]) -> Iterator[Slot]:
    """New slots, numbered on from the last of their item: as many as are wanted and have room."""
    for item, block, n_slots, last in _items(batch, sorted(wanted)):
        room = (most if isinstance(most, int) else most.get(item, 0)) - n_slots
        first = 0 if last is None else last + 1
        for n in range(first, first + min(wanted[item], room)):
            yield Slot(collection_id=batch.collection_id, batch=batch, item_id=item, n=n, block=block)


def _items(batch: Batch, ids: Sequence[int]) -> Iterator[tuple[int, int, int, int | None]]:
    """Of the ordinary items among these: id, block, number of slots, and the last one's number."""
    ordinary = Item.objects.filter(batch=batch, planting__isnull=True, withheld=False).order_by("pk")
    last = Max("slots__n", filter=Q(slots__n__lt=FIRST_N))
    counted = ordinary.annotate(n_slots=Count("slots", filter=Q(slots__reading=1)), last=last)
    for start in range(0, len(ids), CHUNK):
        items = counted.filter(pk__in=ids[start : start + CHUNK])
        yield from items.values_list("pk", "block", "n_slots", "last")


def _record(batch: Batch, verb: str, slots: SlotCounts, *, n_more: int, reason: str, actor: User | None) -> None:
    """Change the number of judgments to expect, and write down who wanted that and why."""
    Batch.objects.filter(pk=batch.pk).update(n_expected=F("n_expected") + n_more)
    record_audit(
        verb,
        actor=actor,
        collection=batch.collection,
        subject=batch.name,
        slots=slots.n_slots,
        items=slots.n_items,
        reason=reason[:200],
    )
