"""One person's reserved slots: gold, checks, repeats and as many ordinary items, at random positions of each block."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from numpy.random import Generator

from annotation.batches.steps.layout.gaps import scatter, spread, whole_positions
from annotation.batches.steps.layout.material import Block, Person, PlannedItem, PlannedSlot, Wanted

Position = tuple[float, bool]  # cards done before; whether the person is expected to come so far


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

    def add(self, position: Position, item: int, *, reading: int = 1, transferable: bool = False) -> None:
        at, likely = position
        slot = PlannedSlot(item, self.block.number, transferable=transferable, reading=reading, likely=likely)
        self.chosen.append((at, slot))

    def slots(self, annotator: int) -> list[PlannedSlot]:
        dues = whole_positions([at for at, _ in self.chosen])
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

    `blocks` in their order. `supply` is written to, so that the next person gets what was used least.
    Where a block has less gold or fewer checks than positions for them, chance says which positions
    are served: were it the first ones, the later cards of a block would be known to be ordinary.
    """
    plots = [_Plot(block) for block in blocks]
    shares = (wanted.gold_share, wanted.check_share, wanted.repeat_share)
    gold, checks, repeats = (_positions(blocks, share, rng) for share in shares)
    n_of_grade: Counter[int | None] = Counter()
    for plot, gold_positions, check_positions in zip(plots, gold, checks, strict=True):
        for items, positions in ((plot.block.gold, gold_positions), (plot.block.checks, check_positions)):
            new = [item for item in _shuffled(items, rng) if supply.items[item].pair not in person.met]
            _plant_known(plot, new, _some(positions, len(new), rng), supply=supply, n_of_grade=n_of_grade)
    earlier: dict[int, _Earlier] = {}
    for plot, positions in zip(plots, repeats, strict=True):
        of_topic = earlier.setdefault(plot.block.topic, _Earlier())
        for position, item in zip(positions, of_topic.take(len(positions)), strict=False):
            plot.add(position, item, reading=2)
        _reserve_ordinary(person, plot, of_topic, supply, rng)
    return [slot for plot in plots for slot in plot.slots(person.annotator)]


def _positions(blocks: Sequence[Block], share: float, rng: Generator) -> list[list[Position]]:
    return spread(rng, share=share, cards=[block.cards for block in blocks], room=[block.room for block in blocks])


def _plant_known(
    plot: _Plot,
    items: list[int],
    positions: Sequence[Position],
    *,
    supply: Supply,
    n_of_grade: Counter[int | None],
) -> None:
    """As many items whose grade is known: of the grade this person has least of, then the least used, then in order.

    `n_of_grade`: how many of each grade the person has; it is written to, and so is `items`.
    """
    for position in positions:
        item = min(items, key=lambda item: (n_of_grade[supply.items[item].grade], supply.used[item]))
        items.remove(item)
        n_of_grade[supply.items[item].grade] += position[1]  # what lies beyond the expected cards may never come
        supply.used[item] += 1
        plot.add(position, item)


def _reserve_ordinary(person: Person, plot: _Plot, earlier: _Earlier, supply: Supply, rng: Generator) -> None:
    """Reserve as many ordinary items as are planted where the person is expected to come."""
    new = [item for item in _shuffled(plot.block.ordinary, rng) if supply.items[item].pair not in person.met]
    n = sum(slot.likely for _, slot in plot.chosen)
    reserved = [item for item in new if supply.free[item] > 0][:n]
    for position, item in zip(scatter(rng, n=len(reserved), cards=plot.block.cards), reserved, strict=True):
        supply.free[item] -= 1
        plot.add((position, True), item, transferable=True)
    earlier.reserved += reserved
    earlier.others += [item for item in new if item not in set(reserved)]


def _some(positions: Sequence[Position], n: int, rng: Generator) -> list[Position]:
    """At most `n` of the positions, each as likely as any other, in their order."""
    if n >= len(positions):
        return list(positions)
    return [positions[at] for at in sorted(rng.choice(len(positions), size=n, replace=False))]


def _shuffled(items: Sequence[int], rng: Generator) -> list[int]:
    return [items[at] for at in rng.permutation(len(items))]
