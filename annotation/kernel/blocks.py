"""The rows of blocks say what their slots come to. Steps that change single slots bring their rows
up to date themselves (`judging.steps.block_changes`); what changes many slots has their blocks
counted anew here.

A claim that has changed a slot writes the row last. So whoever counts locks the rows first and
counts in a statement after that: such a claim has either written its row by then, or adds its
change to the new count.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import islice

from django.db import transaction
from django.db.models import Count, F, Q

from annotation.models import Batch, Block, Item, Slot

OPEN, TRANSFERABLE = Q(reserved_for__isnull=True), Q(transferable=True)
FREE = Q(state=Slot.State.OPEN, item__withheld=False)
PORTION = 500
COUNTED = ("n_open", "n_transferable", "begun")


@dataclass(frozen=True)
class BlockCount:
    """What the slots of a block come to."""

    n_open: int = 0
    n_transferable: int = 0
    begun: bool = False

    def __str__(self) -> str:
        begun = "begun" if self.begun else "not begun"
        return f"{self.n_open} open, {self.n_transferable} kept for somebody, {begun}"


@dataclass(frozen=True)
class BlockFault:
    """A block whose row differs from its slots. `row`: None where there is none."""

    number: int
    row: BlockCount | None
    slots: BlockCount

    def __str__(self) -> str:
        return f"block {self.number}: {self.row or 'no row'}, its slots come to {self.slots}"


def recount_blocks(batch: Batch, numbers: Iterable[int] | None = None) -> None:
    """Bring the rows of these blocks (None: all) up to their slots; rows that are missing are made.

    Slots may have become free in them: whoever found nothing there looks again.
    """
    walk = iter(sorted(_numbers(batch) if numbers is None else set(numbers)))
    while portion := list(islice(walk, PORTION)):
        with transaction.atomic():
            _recount_portion(batch, portion)


def block_faults(batch: Batch) -> list[BlockFault]:
    """Every block whose row is not what its slots come to; right while nobody judges."""
    numbers = _numbers(batch)
    counts, rows = _counts(batch), {row.number: _count_of(row) for row in Block.objects.filter(batch=batch)}
    faults = (BlockFault(number, rows.get(number), counts.get(number, BlockCount())) for number in sorted(numbers))
    return [fault for fault in faults if fault.row != fault.slots]


def lock_slots(item: int) -> list[Slot]:
    """All slots of the item as they are now, locked: who withholds it or lets it go counts them.

    Before the item is changed: who judges holds a slot, and then changes the item. A step that frees one of the slots
    holds its lock and asks then whether the item is withheld.
    """
    return list(Slot.objects.select_for_update().filter(item=item).order_by("pk"))


def _recount_portion(batch: Batch, numbers: Collection[int]) -> None:
    here = Block.objects.filter(batch=batch, number__in=numbers).order_by("number")
    rows = list(here.select_for_update(no_key=True))
    missing = set(numbers) - {row.number for row in rows}
    counts = _counts(batch, numbers)
    changed = [row for row in rows if _count_of(row) != counts.get(row.number, BlockCount())]
    new = [Block(batch=batch, number=number, topic_id=topic) for number, topic in _topics(batch, missing).items()]
    for row in (*changed, *new):
        count = counts.get(row.number, BlockCount())
        row.n_open, row.n_transferable, row.begun = count.n_open, count.n_transferable, count.begun
    Block.objects.bulk_create(new)
    if changed:
        Block.objects.bulk_update(changed, COUNTED)
    here.update(n_freed=F("n_freed") + 1)


def _count_of(row: Block) -> BlockCount:
    return BlockCount(row.n_open, row.n_transferable, row.begun)


def _counts(batch: Batch, numbers: Collection[int] | None = None) -> dict[int, BlockCount]:
    """Of the blocks that have slots."""
    slots = Slot.objects.filter(batch=batch)
    if numbers is not None:
        slots = slots.filter(block__in=numbers)
    counts = slots.values_list("block").annotate(
        n_open=Count("pk", filter=FREE & OPEN),
        n_transferable=Count("pk", filter=FREE & TRANSFERABLE),
        n_judged=Count("pk", filter=Q(state=Slot.State.JUDGED)),
    )
    return {block: BlockCount(n_open, n_kept, n_judged > 0) for block, n_open, n_kept, n_judged in counts}


def _numbers(batch: Batch) -> set[int]:
    return set(Item.objects.filter(batch=batch).values_list("block", flat=True).distinct())


def _topics(batch: Batch, numbers: Collection[int]) -> dict[int, int]:
    items = Item.objects.filter(batch=batch, block__in=numbers)
    return dict(items.order_by("block").values_list("block", "topic").distinct()) if numbers else {}
