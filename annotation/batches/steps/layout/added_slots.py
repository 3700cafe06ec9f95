"""More room for judgments in a batch that stands: open slots of ordinary pairs, claimed as any other."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from django.db import transaction
from django.db.models import Count, F, Max, Q

from annotation.kernel.audit import record_audit
from annotation.kernel.bulk_rows import tell_planner
from annotation.models import Batch, Item, Slot, User

CHUNK = 1000
MANY = 10_000  # slots, after which the database's plans are out of date
REFUSALS = {
    Batch.State.DRAFT: "This batch is a draft: lay it out first.",
    Batch.State.CLOSED: "This batch is closed. Reopen it first.",
    Batch.State.IMPORTING: "The judgments of this batch are being imported.",
}


class AddingRefused(Exception):  # noqa: N818 -- an answer, not an error
    """No slot can be added to this batch now; the message says why."""


@dataclass(frozen=True)
class Added:
    """`n_of`: how many slots each item got, by item id; an item that got none is not in it."""

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
) -> Added:
    """Add open slots, `wanted` by item id, to a batch that is laid out, open or paused. Raises `AddingRefused`.

    No item has more than `most` slots afterwards (a mapping: each its own), whoever else adds at the same time: callers
    take turns at the batch. So a step that was cut short is run again with the same `most`, and adds what was missing.
    Second readings do not count. Gold, checks, withheld items and those of other batches get none, silently.
    """
    batch = locked_batch(batch)
    n_of: Counter[int] = Counter()
    rows = _slots(batch, wanted, most)
    while portion := list(islice(rows, CHUNK)):
        Slot.objects.bulk_create(portion)
        n_of.update(slot.item_id for slot in portion)
    added = Added(n_of)
    if n_of:
        _note(batch, added, reason, actor)
    return added


def locked_batch(batch: Batch) -> Batch:
    """The batch as it is now, locked until the transaction ends. Judging goes on meanwhile."""
    found = Batch.objects.select_for_update(of=("self",), no_key=True).select_related("collection").get(pk=batch.pk)
    if found.brought_by_id is not None:
        raise AddingRefused("The judgments of this batch were made elsewhere. It stays as it came.")
    if refusal := REFUSALS.get(Batch.State(found.state)):
        raise AddingRefused(refusal)
    return found


def _slots(batch: Batch, wanted: Mapping[int, int], most: int | Mapping[int, int]) -> Iterator[Slot]:
    """Numbered on from the last of their item: as many as are wanted and have room."""
    for item, block, held, last in _items(batch, sorted(wanted)):
        room = (most if isinstance(most, int) else most.get(item, 0)) - held
        first = 0 if last is None else last + 1
        for n in range(first, first + min(wanted[item], room)):
            yield Slot(collection_id=batch.collection_id, batch=batch, item_id=item, n=n, block=block)


def _items(batch: Batch, ids: Sequence[int]) -> Iterator[tuple[int, int, int, int | None]]:
    """Of the ordinary items among these: id, block, number of slots, and the last one's number."""
    ordinary = Item.objects.filter(batch=batch, planting__isnull=True, withheld=False).order_by("pk")
    counted = ordinary.annotate(held=Count("slots", filter=Q(slots__reading=1)), last=Max("slots__n"))
    for start in range(0, len(ids), CHUNK):
        found = counted.filter(pk__in=ids[start : start + CHUNK])
        yield from found.values_list("pk", "block", "held", "last")


def _note(batch: Batch, added: Added, reason: str, actor: User | None) -> None:
    """Count them among the judgments to expect, and write down who wanted them and why."""
    Batch.objects.filter(pk=batch.pk).update(n_expected=F("n_expected") + added.n_slots)
    if added.n_slots >= MANY:
        tell_planner(Slot)
    record_audit(
        "slots added",
        actor=actor,
        collection=batch.collection,
        subject=batch.name,
        slots=added.n_slots,
        items=added.n_items,
        reason=reason[:200],
    )
