"""Layouts as they were made before coins decided: slots reserved for each person beforehand.

Batches that were laid out so go on so. Here they are made anew, by what the app keeps for people who join them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotation.batches.steps.layout.blocks import cut_into_items
from annotation.batches.steps.layout.laying_out import store_slots
from annotation.batches.steps.layout.material import Kind, Material, PlannedItem, PlannedSlot, Wanted
from annotation.batches.steps.layout.planning import blocks_of, person_rng, reservable
from annotation.batches.steps.layout.planting import Supply, plant
from annotation.batches.steps.layout.rows import read_material
from annotation.kernel.blocks import recount_blocks
from annotation.models import Batch, Item, Slot, StockItem


@dataclass(frozen=True)
class ReservedPlan:
    """`slots` refer to `items` by position."""

    items: tuple[PlannedItem, ...]
    slots: tuple[PlannedSlot, ...]


def plan_reserved(material: Material) -> ReservedPlan:
    wanted, people = material.wanted, material.people
    items = cut_into_items(material, np.random.default_rng([wanted.seed, 0]))
    blocks = blocks_of(items, wanted, n_people=len(people))
    supply = Supply(items, free=reservable(items, wanted))
    reserved = [
        slot
        for person in people
        for slot in plant(person, blocks, wanted, supply=supply, rng=person_rng(wanted.seed, person.ordinal))
    ]
    return _without_idle(items, _open_slots(items, reserved, wanted) + reserved)


def reserve(batch: Batch) -> None:
    """Make of a layout one with reservations for those who take part, as it would have been before."""
    plan = plan_reserved(read_material(batch))
    place = {(item.topic_id, item.document_id): item for item in Item.objects.filter(batch=batch)}
    items = [place[item.pair] for item in plan.items]
    Slot.objects.filter(batch=batch).delete()
    StockItem.objects.filter(batch=batch).delete()
    store_slots(batch, plan.slots, items, first_n=Counter())
    n_expected = sum(slot.transferable or slot.likely for slot in plan.slots)
    Batch.objects.filter(pk=batch.pk).update(coin_shares=None, n_expected=n_expected)
    batch.refresh_from_db()
    recount_blocks(batch)


def _open_slots(items: Sequence[PlannedItem], reserved: Sequence[PlannedSlot], wanted: Wanted) -> list[PlannedSlot]:
    """The slots of ordinary items that nobody has reserved."""
    n_reserved = Counter(slot.item for slot in reserved if slot.transferable)
    return [
        PlannedSlot(at, item.block)
        for at, item in enumerate(items)
        if item.kind is Kind.ORDINARY
        for _ in range(wanted.judgments_per_item - n_reserved[at])
    ]


def _without_idle(items: Sequence[PlannedItem], slots: Sequence[PlannedSlot]) -> ReservedPlan:
    """Leave out gold and checks that came to nobody, and renumber."""
    used = {slot.item for slot in slots}
    kept = [at for at, item in enumerate(items) if at in used or item.kind is Kind.ORDINARY or item.in_pool]
    new_index = {at: n for n, at in enumerate(kept)}
    renumbered = tuple(replace(slot, item=new_index[slot.item]) for slot in slots)
    return ReservedPlan(tuple(items[at] for at in kept), renumbered)
