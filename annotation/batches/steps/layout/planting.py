"""One person's reserved slots: gold, checks and repeats, and as many ordinary items, at random places of each block."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from numpy.random import Generator

from annotation.batches.steps.layout.gaps import scatter, spread, whole_places
from annotation.batches.steps.layout.material import Block, Person, PlannedItem, PlannedSlot, Wanted

Place = tuple[float, bool]  # cards done before; whether the person is expected to come so far


@dataclass
class Supply:
    """What the people of a batch share: how often each item is reserved, and how many more reservations it may take."""

    items: Sequence[PlannedItem]
    used: Counter[int] = field(default_factory=Counter)
    free: Counter[int] = field(default_factory=Counter)  # ordinary items: open slots that may still be reserved


@dataclass
class _Plot:
    """A person's slots in one block while they are being chosen."""

    block: Block
    chosen: list[tuple[float, PlannedSlot]] = field(default_factory=list)

    def add(self, place: Place, item: int, *, reading: int = 1, transferable: bool = False) -> None:
        at, likely = place
        slot = PlannedSlot(item, self.block.number, transferable=transferable, reading=reading, likely=likely)
        self.chosen.append((at, slot))

    def slots(self, annotator: int) -> list[PlannedSlot]:
        dues = whole_places([at for at, _ in self.chosen])
        return [
            replace(slot, reserved_for=annotator, due=due) for due, (_, slot) in zip(dues, self.chosen, strict=True)
        ]


@dataclass
class _Earlier:
    """Ordinary items of a topic's earlier blocks: those reserved for the person, and others they may have judged."""

    reserved: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)

    def take(self, n: int) -> list[int]:
        """Up to `n` items to repeat, each given once; those that the person is surer to have judged come first."""
        items = (self.reserved + self.others)[:n]
        self.others = self.others[max(0, n - len(self.reserved)) :]
        self.reserved = self.reserved[n:]
        return items


def plant(
    person: Person, blocks: Sequence[Block], wanted: Wanted, *, supply: Supply, rng: Generator
) -> list[PlannedSlot]:
    """The person's reserved slots in all blocks, never for a pair they have met.

    `blocks` in their order. `supply` is written to, so that the next person gets what was used least. Where a block has
    less gold or fewer checks than places for them, chance says which places are served: were it the first ones, the
    later cards of a block would be known to be ordinary.
    """
    plots = [_Plot(block) for block in blocks]
    shares = (wanted.gold_share, wanted.check_share, wanted.repeat_share)
    gold, checks, repeats = (_places(blocks, share, rng) for share in shares)
    had: Counter[int | None] = Counter()
    for plot, gold_places, check_places in zip(plots, gold, checks, strict=True):
        for items, places in ((plot.block.gold, gold_places), (plot.block.checks, check_places)):
            there = [item for item in _shuffled(items, rng) if supply.items[item].pair not in person.met]
            _plant_known(plot, there, _some(places, len(there), rng), supply=supply, had=had)
    earlier: dict[int, _Earlier] = {}
    for plot, places in zip(plots, repeats, strict=True):
        before = earlier.setdefault(plot.block.topic, _Earlier())
        for place, item in zip(places, before.take(len(places)), strict=False):
            plot.add(place, item, reading=2)
        _reserve_ordinary(person, plot, before, supply, rng)
    return [slot for plot in plots for slot in plot.slots(person.annotator)]


def _places(blocks: Sequence[Block], share: float, rng: Generator) -> list[list[Place]]:
    return spread(rng, share=share, cards=[block.cards for block in blocks], room=[block.room for block in blocks])


def _plant_known(
    plot: _Plot, there: list[int], places: Sequence[Place], *, supply: Supply, had: Counter[int | None]
) -> None:
    """As many items whose grade is known: of the grade this person `had` least, then the least used, then in order."""
    for place in places:
        item = min(there, key=lambda item: (had[supply.items[item].grade], supply.used[item]))
        there.remove(item)
        had[supply.items[item].grade] += place[1]  # what lies beyond the expected cards may never come
        supply.used[item] += 1
        plot.add(place, item)


def _reserve_ordinary(person: Person, plot: _Plot, before: _Earlier, supply: Supply, rng: Generator) -> None:
    """Reserve as many ordinary items as are planted where the person is expected to come."""
    new = [item for item in _shuffled(plot.block.ordinary, rng) if supply.items[item].pair not in person.met]
    n = sum(slot.likely for _, slot in plot.chosen)
    reserved = [item for item in new if supply.free[item] > 0][:n]
    for place, item in zip(scatter(rng, n=len(reserved), cards=plot.block.cards), reserved, strict=True):
        supply.free[item] -= 1
        plot.add((place, True), item, transferable=True)
    before.reserved += reserved
    before.others += [item for item in new if item not in set(reserved)]


def _some(places: Sequence[Place], n: int, rng: Generator) -> list[Place]:
    """At most `n` of the places, each as likely as any other, in their order."""
    if n >= len(places):
        return list(places)
    return [places[at] for at in sorted(rng.choice(len(places), size=n, replace=False))]


def _shuffled(items: Sequence[int], rng: Generator) -> list[int]:
    return [items[at] for at in rng.permutation(len(items))]
