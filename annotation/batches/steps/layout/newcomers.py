"""People who join a batch whose slots were reserved when it was laid out: their planted slots, and
ordinary ones reserved in equal numbers. Where coins decide, nothing is kept for anybody beforehand.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from django.db.models import Count, F, Max, Q

from annotation.batches.steps.layout.laying_out import store_slots
from annotation.batches.steps.layout.material import Kind, PlannedItem, PlannedSlot
from annotation.batches.steps.layout.planning import blocks_of, person_rng, reservable
from annotation.batches.steps.layout.planting import Supply, plant
from annotation.batches.steps.layout.rows import read_people, wanted_of
from annotation.gold.read.current import current_gold
from annotation.kernel.blocks import recount_blocks
from annotation.models import Annotator, Batch, Item, Participation, Planting, Slot

KINDS = {Planting.Purpose.GOLD.value: Kind.GOLD, Planting.Purpose.CHECK.value: Kind.CHECK, None: Kind.ORDINARY}


def plant_for_newcomers(batch: Batch, annotators: Iterable[Annotator]) -> int:
    """Give people who have just become participants their slots. Within a transaction; gives the judgments to expect.

    From the gold and checks that the batch has: a layout is not widened once it stands.
    """
    rows = list(Item.objects.filter(batch=batch).order_by("pk").annotate(purpose=F("planting__purpose")))
    items, wanted = _planned_items(batch, rows), wanted_of(batch)
    n_people = Participation.objects.filter(batch=batch, is_active=True).count()
    blocks = blocks_of(items, wanted, n_people=n_people)
    supply = Supply(items, used=_reserved(batch, rows), free=_still_free(batch, rows, reservable(items, wanted)))
    slots = [
        slot
        for person in read_people(batch, annotators)
        for slot in plant(person, blocks, wanted, supply=supply, rng=person_rng(wanted.seed, person.ordinal))
    ]
    planted = [slot for slot in slots if not slot.transferable]
    store_slots(batch, planted, rows, first_n=_slots_so_far(batch))
    _reserve_open(batch, [slot for slot in slots if slot.transferable], rows)
    recount_blocks(batch, {slot.block for slot in slots if slot.transferable})
    return sum(slot.likely for slot in planted)


def _planned_items(batch: Batch, rows: Sequence[Item]) -> list[PlannedItem]:
    """Items as planting sees them, with the grades of gold as they are now."""
    gold = current_gold(batch.collection, batch.criterion, scale=batch.scale)
    grades = {(t, d): grade for t, d, grade in gold.values_list("topic_id", "document_id", "grade")}
    kinds: list[str | None] = [getattr(row, "purpose", None) for row in rows]
    return [
        PlannedItem(
            topic=row.topic_id,
            document=row.document_id,
            kind=KINDS[kind],
            grade=grades.get((row.topic_id, row.document_id)),
            in_pool=False,
            block=row.block,
            shuffle=row.shuffle,
        )
        for row, kind in zip(rows, kinds, strict=True)
    ]


def _reserved(batch: Batch, rows: Sequence[Item]) -> Counter[int]:
    """How often each planted item is kept for someone, by index in `rows`."""
    kept = Slot.objects.filter(batch=batch, reserved_for__isnull=False, transferable=False, reading=1)
    counts = dict(kept.values_list("item").annotate(n=Count("id")))
    return Counter({at: counts.get(row.pk, 0) for at, row in enumerate(rows)})


def _still_free(batch: Batch, rows: Sequence[Item], most: Counter[int]) -> Counter[int]:
    """How many more slots of each ordinary item may be reserved: not more than are open."""
    slots = Slot.objects.filter(batch=batch, reading=1)
    n_open = dict(slots.filter(_is_open()).values_list("item").annotate(n=Count("id")))
    n_kept = dict(slots.filter(transferable=True).values_list("item").annotate(n=Count("id")))
    return Counter(
        {
            at: max(0, min(most[at] - n_kept.get(row.pk, 0), n_open.get(row.pk, 0)))
            for at, row in enumerate(rows)
            if at in most
        }
    )


def _slots_so_far(batch: Batch) -> Counter[int]:
    last = Slot.objects.filter(batch=batch).values_list("item").annotate(last=Max("n"))
    return Counter({item: n + 1 for item, n in last})


def _reserve_open(batch: Batch, slots: Sequence[PlannedSlot], rows: Sequence[Item]) -> None:
    """Reserve an open slot of each item; one that was claimed this moment stays with whoever has it."""
    for slot in slots:
        free = Slot.objects.filter(_is_open(), batch=batch, item=rows[slot.item].pk, reading=1).order_by("-n")
        Slot.objects.filter(_is_open(), pk__in=free.values("pk")[:1]).update(
            reserved_for=slot.reserved_for, due=slot.due, transferable=True
        )


def _is_open() -> Q:
    return Q(state=Slot.State.OPEN, reserved_for__isnull=True)
