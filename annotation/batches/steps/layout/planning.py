"""The whole plan of a batch: items in blocks, and which of them stand in the stock. Pure: the same
material and seed give the same plan. What else is here is for batches whose slots were reserved
when they were laid out.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from annotation.batches.steps.layout.blocks import SHUFFLES, cut_into_items
from annotation.batches.steps.layout.material import Block, Kind, Material, PlannedItem, Wanted


@dataclass(frozen=True)
class Plan:
    """`items` holds every pair of the pool, and the gold and checks of the stock. Each ordinary one gets
    `judgments_per_item` slots; what coins bring gets its slots as people go."""

    items: tuple[PlannedItem, ...]
    judgments_per_item: int

    @property
    def n_slots(self) -> int:
        return self.judgments_per_item * sum(item.kind is Kind.ORDINARY for item in self.items)


def plan_layout(material: Material) -> Plan:
    items = cut_into_items(material, np.random.default_rng([material.wanted.seed, 0]))
    return Plan(tuple(items), material.wanted.judgments_per_item)


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
