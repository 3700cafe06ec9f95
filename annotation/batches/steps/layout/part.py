"""A layout on its way: what of a plan is written, portion by portion, while its batch is still a draft.

Nobody sees it before the batch is laid out: nothing reads items of drafts. Each portion is a
transaction of its own, which ends before judging would wait for it on SQLite. The items stand in
the order of the plan, so that those that are written say how far the layout has come: whoever takes
it up goes on from there, or clears what another plan has left.

On PostgreSQL the slots of a portion are written with the next portion, by a second connection under
the first one's locks: most of the time goes into the server's checks of foreign keys, half of them
for slots, and so it uses two processors.
"""

import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate, islice
from typing import Any, Protocol

from django.db import connection, transaction
from django.db.models import Model, Q

from annotation.batches.steps.layout.material import Kind, PlannedItem
from annotation.batches.steps.layout.prepared import Prepared
from annotation.batches.steps.layout.refusals import LayoutError, locked_draft
from annotation.kernel.blocks import recount_blocks
from annotation.kernel.bulk_rows import Alike, SecondConnection, Values, new_keys, tell_planner
from annotation.models import Batch, Block, Item, Planting, Slot, StockItem
from annotation.models.tokens import new_token

PURPOSES = {Kind.GOLD: Planting.Purpose.GOLD, Kind.CHECK: Planting.Purpose.CHECK}
ROWS = 20_000  # a portion; on PostgreSQL nobody waits for it
ROWS_UNDER_LOCK, FEWEST = 1000, 60  # on SQLite, where judging waits: at most, and where the machine is slow
LOCK = 0.03  # seconds a portion is to take on SQLite: a third of what judging may wait
REST = 0.03  # seconds without the lock after it: who waits looks for it every 25 ms at first
BLOCKS, BLOCKS_UNDER_LOCK = 500, 50  # counted at a time: each has some 75 slots
KEYS = 300  # items cleared at a time, with what belongs to them; on SQLite fewer where the machine is slow

ITEM = (
    "id",
    "token",
    "topic_id",
    "document_id",
    "topic_version_id",
    "document_version_id",
    "block",
    "shuffle",
    "stratum",
)
STORED = (*ITEM[2:], "scale_id", "planting__purpose", "planting__in_pool", "stock__strand")

Row = tuple[int, PlannedItem]  # with its key


class Watch(Protocol):
    """What a layout reports to, such as a `JobRun`."""

    def fence(self) -> None: ...
    def report(self, *, done: int, total: int, message: str = "") -> None: ...
    def finish(self, result: dict[str, Any] | None = None) -> None: ...


def always() -> bool:
    return True


class LayoutChangedError(LayoutError):
    """What was written is not as it was left: somebody has cleared it, or written to it."""


class Pace:
    """How many rows a portion may have: on SQLite so many as are written in a third of what judging may wait, few at
    first, while nobody knows how quick the machine is.
    """

    def __init__(self) -> None:
        self.waits = connection.vendor == "sqlite"
        self.rows = min(FEWEST, ROWS_UNDER_LOCK) if self.waits else ROWS

    @property
    def blocks(self) -> int:
        """How many may be counted at a time: that many take as long as writing the rows."""
        return max(1, BLOCKS_UNDER_LOCK * self.rows // ROWS_UNDER_LOCK) if self.waits else BLOCKS

    @property
    def keys(self) -> int:
        """How many items may be cleared at a time."""
        return max(1, KEYS * self.rows // ROWS_UNDER_LOCK) if self.waits else KEYS

    def rest(self) -> None:
        """Whoever waits for SQLite's lock polls for it: a pause lets one of them have it."""
        if self.waits and not connection.in_atomic_block:
            time.sleep(REST)

    def took(self, seconds: float) -> None:
        if self.waits:
            in_time = self.rows * LOCK / max(seconds, 1e-6)
            self.rows = round(min(ROWS_UNDER_LOCK, 2 * self.rows, max(FEWEST, in_time)))


def write_rest(prepared: Prepared, watch: Watch) -> int | None:
    """Write the items of the plan that are not written yet, with all that belongs to them, and their blocks; gives the
    last item's key."""
    items, pace = prepared.plan.items, Pace()
    at, last, slotless = _take_up(prepared, watch)
    with SecondConnection() as second:
        while at < len(items) or slotless:
            watch.report(done=at, total=len(items), message="Laying out")
            began = time.monotonic()
            with transaction.atomic():
                watch.fence()
                lock_draft_after(prepared.batch, last)
                with second.doing(partial(_store_slots, prepared, slotless)):
                    rows = _store_items(prepared, _portion(prepared, at, pace.rows))
                if pace.waits:
                    _store_slots(prepared, rows)
            pace.took(time.monotonic() - began)
            pace.rest()
            at, last = at + len(rows), rows[-1][0] if rows else last
            slotless = [] if pace.waits else rows
    tell_planner(Item, Slot, StockItem)
    _store_blocks(prepared, last, watch, pace)
    return last


def lock_draft_after(batch: Batch, last: int | None) -> Batch:
    """The draft, locked until the transaction ends. Raises `LayoutChangedError` where `last` is not its last item."""
    draft = locked_draft(batch)
    beyond = Item.objects.filter(batch=draft, pk__gte=last or 0).order_by("pk").values_list("pk", flat=True)
    if list(beyond[:2]) != ([last] if last else []):
        raise LayoutChangedError("Somebody else is laying this batch out.")
    return draft


def wait_for_slots(batch: Batch) -> None:
    """A layout that was killed may have been committing slots, which hold the batch's row until they are there."""
    with transaction.atomic():
        bool(Batch.objects.filter(pk=batch.pk).select_for_update())


def clear_unfinished_layout(batch: Batch, may_clear: Callable[[], bool] = always) -> None:
    """Delete what is written of a layout, the last first. A batch that is no draft any more is left as it is.

    `may_clear` is asked in each transaction: where it says no, what is left stays.
    """
    clear_items(batch, Q(state=Batch.State.DRAFT, brought_by__isnull=True), may_clear)


def clear_items(batch: Batch, still: Q, may_clear: Callable[[], bool] = always) -> None:
    """The same of any batch, as long as `still` holds of it."""
    wait_for_slots(batch)
    is_over, pace = False, Pace()
    while not is_over:
        pace.rest()
        began = time.monotonic()
        with transaction.atomic():
            current = Batch.objects.filter(still, pk=batch.pk).select_for_update(no_key=True).values_list("pk")
            is_over = not (bool(current) and may_clear() and _clear_portion(batch, pace.keys))
        pace.took(time.monotonic() - began)


def unfinished_layouts() -> list[Batch]:
    """Drafts of which something is written."""
    drafts = Batch.objects.filter(state=Batch.State.DRAFT, brought_by__isnull=True).order_by("pk")
    return [batch for batch in drafts if Item.objects.filter(batch=batch).exists()]


def _clear_portion(batch: Batch, n_items: int) -> bool:
    """Whether there was something. The last items go, with the rows of their blocks: a block has a row only while all
    its items stand, and by the last item whoever lays out sees that somebody clears."""
    items = dict(Item.objects.filter(batch=batch).order_by("-pk").values_list("pk", "block")[:n_items])
    _delete(Block, batch=batch, number__in=set(items.values()))
    for model in (Slot, StockItem, Planting):
        _delete(model, item__in=list(items))
    _delete(Item, pk__in=list(items))
    return bool(items)


def _delete(model: type[Model], **which: Any) -> None:
    """By one statement: nothing else refers to rows that nobody has seen."""
    rows = model._default_manager.filter(**which)  # noqa: SLF001 -- public in Django
    rows._raw_delete(rows.db)  # noqa: SLF001 -- as above


def _take_up(prepared: Prepared, watch: Watch) -> tuple[int, int | None, list[Row]]:
    """How many items are written, the last one's key, and those without slots; what is not as planned is cleared."""
    wait_for_slots(prepared.batch)
    keys, planned = list[int](), (_stored(prepared, item) for item in prepared.plan.items)
    written = Item.objects.filter(batch=prepared.batch).order_by("pk").values_list("pk", *STORED)
    for key, *values in written.iterator(chunk_size=ROWS):
        if values != next(planned, None):
            break
        keys.append(key)
    else:
        slotless = _slotless(prepared, keys)
        if slotless is not None:
            return len(keys), keys[-1] if keys else None, slotless
    clear_unfinished_layout(prepared.batch, partial(_is_mine, watch))
    return 0, None, []


def _slotless(prepared: Prepared, keys: Sequence[int]) -> list[Row] | None:
    """Of the items that are written, the last ones, from the first on whose slots are not. None where slots are missing
    elsewhere."""
    slots, rows = Slot.objects.filter(batch=prepared.batch), list(zip(keys, prepared.plan.items, strict=False))
    n_until = list(accumulate((_n_slots(prepared, item) for _, item in rows), initial=0))
    n_slots = slots.count()
    slotless = rows[bisect_right(n_until, n_slots) - 1 :]
    is_whole = n_slots in n_until and not (slotless and slots.filter(item__gte=slotless[0][0]).exists())
    return slotless if is_whole else None


def _is_mine(watch: Watch) -> bool:
    watch.fence()
    return True


def _stored(prepared: Prepared, item: PlannedItem) -> list[object]:
    """As `STORED` names them."""
    purpose = PURPOSES.get(item.kind)
    return [*_values(prepared, item), prepared.batch.scale_id, purpose, item.in_pool if purpose else None, item.strand]


def _values(prepared: Prepared, item: PlannedItem) -> Values:
    """As `ITEM` names them, after key and token."""
    texts = prepared.texts
    versions = texts.topics[item.topic], texts.documents[item.document]
    return item.topic, item.document, *versions, item.block, item.shuffle, item.stratum


def _portion(prepared: Prepared, at: int, n_rows: int) -> Sequence[PlannedItem]:
    """From there on, items that have so many rows in all; one at least."""
    ahead = prepared.plan.items[at : at + n_rows]
    rows = accumulate(
        1 + (item.kind in PURPOSES) + (item.strand is not None) + _n_slots(prepared, item) for item in ahead
    )
    return ahead[: max(1, sum(n <= n_rows for n in rows))]


def _n_slots(prepared: Prepared, item: PlannedItem) -> int:
    return prepared.plan.judgments_per_item if item.kind is Kind.ORDINARY else 0


def _store_items(prepared: Prepared, planned: Sequence[PlannedItem]) -> list[Row]:
    """The items with pinned texts and scale, why they are there, and the stock."""
    batch = prepared.batch
    rows = list(zip(new_keys(Item, len(planned)), planned, strict=True))
    items = ((key, new_token(), *_values(prepared, item)) for key, item in rows)
    Alike(Item(collection_id=batch.collection_id, batch_id=batch.pk, scale_id=batch.scale_id), ITEM).insert(items)
    planted = ((key, PURPOSES[item.kind], item.in_pool) for key, item in rows if item.kind in PURPOSES)
    Alike(Planting(), ("item_id", "purpose", "in_pool")).insert(planted)
    stock = ((key, item.topic, item.strand) for key, item in rows if item.strand is not None)
    Alike(StockItem(batch_id=batch.pk), ("item_id", "topic_id", "strand")).insert(stock)
    return rows


def _store_slots(prepared: Prepared, rows: Sequence[Row]) -> None:
    """The slots wanted of the items."""
    slots = ((key, item.block, n) for key, item in rows for n in range(_n_slots(prepared, item)))
    slot = Slot(collection_id=prepared.batch.collection_id, batch_id=prepared.batch.pk)
    Alike(slot, ("item_id", "block", "n")).insert(slots)


def _store_blocks(prepared: Prepared, last: int | None, watch: Watch, pace: Pace) -> None:
    """Write the counts of slots of each block that has no row yet."""
    missing = iter(_missing_blocks(prepared))
    while portion := list(islice(missing, pace.blocks)):
        began = time.monotonic()
        with transaction.atomic():
            watch.fence()
            recount_blocks(lock_draft_after(prepared.batch, last), portion)
        pace.took(time.monotonic() - began)
        pace.rest()
    tell_planner(Block)


def _missing_blocks(prepared: Prepared) -> list[int]:
    there = set(Block.objects.filter(batch=prepared.batch).values_list("number", flat=True))
    return sorted({item.block for item in prepared.plan.items} - there)
