"""A plain walk through a plan with reservations by the rules of the claim, written apart from it: who is shown what."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType

from annotation.batches.steps.layout import salt_of
from annotation.batches.steps.layout.material import Material, PlannedSlot
from tests.annotation.batches.steps.layout.reserving import ReservedPlan

PRIME = 2**31 - 1
LOOK = 25  # judgments between two looks at what is in doubt


@dataclass(frozen=True)
class Shown:
    """A card that somebody was shown: its topic, and gold, check, repeat or ordinary. `left`: cards of the visit
    to come after it, as planned when it began. `waiting`: cards that the page held behind it.
    """

    topic: int
    kind: str
    left: int = 0
    waiting: int = 0


@dataclass
class _Walker:
    person: int
    salt: int
    block: int = -1
    done: Counter[int] = field(default_factory=Counter)  # cards done, by block
    met: set[tuple[int, int]] = field(default_factory=set)  # item, reading


def walk(
    plan: ReservedPlan,
    material: Material,
    *,
    together: bool,
    doubt: Mapping[int, int] = MappingProxyType({}),
    late: frozenset[int] = frozenset(),
) -> dict[int, list[Shown]]:
    """Everybody judges until nothing is left: each at a pace of their own, or each to their end before the next.

    `doubt`: by item, how many slots are added one at a time, once the item's slots are judged and somebody looks: every
    so many judgments, and when nobody has anything left.
    """
    chance = Random(1)
    left = _Left(plan, doubt)
    shown: dict[int, list[Shown]] = {person.annotator: [] for person in material.people}
    everybody = [_Walker(each.annotator, salt_of(material.wanted.seed, each.ordinal)) for each in material.people]
    early = [walker for walker in everybody if walker.person not in late]
    at_work, n = list(early), 0
    while at_work or left.look():
        at_work = at_work or list(everybody)
        walker = chance.choice(at_work) if together else at_work[0]
        place = left.next(walker)
        if place is None:
            at_work.remove(walker)
            continue
        slot = left.slots[place]
        left.take(place, walker)
        n += 1
        if n % LOOK == 0 and not late and left.look():
            at_work = list(everybody) if together else at_work
        kind = "repeat" if slot.reading == 2 else plan.items[slot.item].kind.value
        shown[walker.person].append(Shown(plan.items[slot.item].topic, kind))
    return shown


class _Left:
    """The slots that nobody has taken yet, by block."""

    def __init__(self, plan: ReservedPlan, doubt: Mapping[int, int]) -> None:
        self._plan, self._doubt = plan, dict(doubt)
        self.slots = list(plan.slots)
        self._wanted = Counter(slot.item for slot in plan.slots if slot.reading == 1)
        self._open: dict[int, list[int]] = defaultdict(list)  # places of slots that are left, by block
        self._reserved: dict[int, list[int]] = defaultdict(list)
        for at, slot in enumerate(plan.slots):
            self._of_kind(slot)[slot.block].append(at)
        self._topics = {slot.block: plan.items[slot.item].topic for slot in plan.slots}
        self._judged: Counter[int] = Counter()  # by item
        self._blocks: dict[int, set[int]] = defaultdict(set)  # by item: a repeat may be in another
        self._begun = set[int]()  # blocks with a judged item
        self._orders: dict[int, list[int]] = {}  # of blocks, by person
        for slot in plan.slots:
            self._blocks[slot.item].add(slot.block)

    def look(self) -> bool:
        """Add a slot to each item in doubt whose slots are judged; whether there was one."""
        ready = [item for item, n in self._doubt.items() if n and self._judged[item] >= self._wanted[item]]
        for item in ready:
            self._doubt[item] -= 1
            self._wanted[item] += 1
            block = self._plan.items[item].block
            self._open[block].append(len(self.slots))
            self.slots.append(PlannedSlot(item, block))
        return bool(ready)

    def take(self, place: int, walker: _Walker) -> None:
        slot = self.slots[place]
        self._of_kind(slot)[slot.block].remove(place)
        self._judged[slot.item] += 1
        self._begun |= self._blocks[slot.item]
        walker.done[slot.block] += 1
        walker.met.add((slot.item, slot.reading))

    def next(self, walker: _Walker) -> int | None:
        for free in (self._open_to, self._transferable_to):
            if (place := self._here(walker, free)) is not None:
                return place
        for free in (self._open_to, self._transferable_to):
            if (block := self._block_for(walker, free)) is not None:
                walker.block = block
                return self._here(walker, free)
        return None

    def _block_for(self, walker: _Walker, free_in: Callable[[int, _Walker], list[int]]) -> int | None:
        """With something free: rather of another topic than the last, then rather begun, then in the walker's order."""
        last, in_order = self._topics.get(walker.block), self._in_order_of(walker)
        for same_topic in (False, True):
            not_begun: int | None = None
            for block in in_order:
                is_candidate = not_begun is None or block in self._begun
                if not is_candidate or (self._topics[block] == last) != same_topic:
                    continue
                free = free_in(block, walker)
                if free and block in self._begun and any(self._judged[self.slots[at].item] for at in free):
                    return block
                not_begun = block if free and not_begun is None else not_begun
            if not_begun is not None:
                return not_begun
        return None

    def _in_order_of(self, walker: _Walker) -> list[int]:
        if walker.person not in self._orders:
            self._orders[walker.person] = sorted(self._topics, key=lambda block: (block + 1) * walker.salt % PRIME)
        return self._orders[walker.person]

    def _here(self, walker: _Walker, free_in: Callable[[int, _Walker], list[int]]) -> int | None:
        """What is due, as long as something free is left beside it; else the first that is free."""
        free = free_in(walker.block, walker)
        if not free:
            return None
        due = [at for at in self._reserved[walker.block] if _is_due(self.slots[at], walker)]
        return min(due or free, key=lambda place: self._order(place, walker))

    def _of_kind(self, slot: PlannedSlot) -> dict[int, list[int]]:
        return self._open if slot.reserved_for is None else self._reserved

    def _open_to(self, block: int, walker: _Walker) -> list[int]:
        return [at for at in self._open[block] if _may_meet(self.slots[at], walker)]

    def _transferable_to(self, block: int, walker: _Walker) -> list[int]:
        slots = self.slots
        return [at for at in self._reserved[block] if slots[at].transferable and _may_meet(slots[at], walker)]

    def _order(self, place: int, walker: _Walker) -> tuple[bool, int]:
        item = self.slots[place].item
        return self._judged[item] == 0, self._plan.items[item].shuffle * walker.salt % PRIME


def _is_due(slot: PlannedSlot, walker: _Walker) -> bool:
    is_due = slot.reserved_for == walker.person and (slot.due or 0) <= walker.done[slot.block]
    return is_due and _may_meet(slot, walker)


def _may_meet(slot: PlannedSlot, walker: _Walker) -> bool:
    """A repeat once its first reading is judged."""
    if (slot.item, slot.reading) in walker.met:
        return False
    return slot.reading == 1 or (slot.item, 1) in walker.met
