"""The whole plan of a batch: items, blocks, slots. Pure: the same material and seed give the same plan."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from annotation.batches.steps.layout.blocks import SHUFFLES, cut_into_items
from annotation.batches.steps.layout.material import Block, Kind, Material, Person, PlannedItem, PlannedSlot, Wanted
from annotation.batches.steps.layout.planting import Supply, plant


@dataclass(frozen=True)
class Plan:
    """`slots` refer to `items` by position. `items` holds every pair of the pool; gold and checks that nobody gets
    are left out unless they are in the pool."""

    items: tuple[PlannedItem, ...]
    slots: tuple[PlannedSlot, ...]

    def expected(self) -> list[PlannedSlot]:
        """The judgments to expect: every slot that is not reserved, or that its person is likely to reach."""
        return [slot for slot in self.slots if slot.transferable or slot.likely]


def plan_layout(material: Material) -> Plan:
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


def blocks_of(items: Sequence[PlannedItem], wanted: Wanted, *, n_people: int) -> list[Block]:
    """The blocks in their order, measured for the settings and the number of people.

    Gold without a grade (withdrawn since it was laid out) is in no block: nobody is given it any more.
    """
    blocks: dict[int, Block] = {}
    for at, item in enumerate(items):
        block = blocks.setdefault(item.block, Block(item.block, item.topic))
        items_of_kind = {Kind.ORDINARY: block.ordinary, Kind.GOLD: block.gold, Kind.CHECK: block.checks}
        if item.kind is not Kind.GOLD or item.grade is not None:
            items_of_kind[item.kind].append(at)
    for block in blocks.values():
        block.measure(wanted, n_people=n_people)
    return [blocks[number] for number in sorted(blocks)]


def reservable(items: Sequence[PlannedItem], wanted: Wanted) -> Counter[int]:
    """How many slots of each ordinary item may be reserved: half of them, rounded up."""
    most = (wanted.judgments_per_item + 1) // 2
    return Counter({at: most for at, item in enumerate(items) if item.kind is Kind.ORDINARY})


def person_rng(seed: int, ordinal: int) -> Generator:
    """A stream of a person's own, so that one who joins later changes nothing for the others."""
    return np.random.default_rng([seed, 1, ordinal])


def salt_of(seed: int, ordinal: int) -> int:
    """What turns the items' shuffle into this person's order: 1 ≤ salt < 2³¹ − 1."""
    return int(np.random.default_rng([seed, 2, ordinal]).integers(1, SHUFFLES))


def gold_supply(material: Material, person: Person) -> int:
    """How many gold pairs of the chosen topics the person has not met."""
    return sum((topic.topic, document) not in person.met for topic in material.topics for document in topic.gold)


def _open_slots(items: Sequence[PlannedItem], reserved: Sequence[PlannedSlot], wanted: Wanted) -> list[PlannedSlot]:
    """The slots of ordinary items that nobody has reserved."""
    n_reserved = Counter(slot.item for slot in reserved if slot.transferable)
    return [
        PlannedSlot(at, item.block)
        for at, item in enumerate(items)
        if item.kind is Kind.ORDINARY
        for _ in range(wanted.judgments_per_item - n_reserved[at])
    ]


def _without_idle(items: Sequence[PlannedItem], slots: Sequence[PlannedSlot]) -> Plan:
    """Leave out gold and checks that came to nobody, and renumber."""
    used = {slot.item for slot in slots}
    kept = [at for at, item in enumerate(items) if at in used or item.kind is Kind.ORDINARY or item.in_pool]
    new_index = {at: n for n, at in enumerate(kept)}
    renumbered = tuple(replace(slot, item=new_index[slot.item]) for slot in slots)
    return Plan(tuple(items[at] for at in kept), renumbered)
