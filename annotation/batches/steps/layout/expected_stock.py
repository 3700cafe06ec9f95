"""What a forecast needs to know of a plan's stock: how much of it a person can meet, in how many blocks."""

from collections import Counter
from collections.abc import Sequence

from annotation.batches.steps.layout.material import Kind, Pair, Person, PlannedItem


class Stock:
    """Of the topics that have ordinary pairs. `block_cards`, `topic_cards`: ordinary pairs of each, on average."""

    def __init__(self, items: Sequence[PlannedItem]) -> None:
        ordinary = [(item.topic, item.block) for item in items if item.kind is Kind.ORDINARY]
        self._blocks = Counter(topic for topic, _ in set(ordinary))
        self._pairs: dict[Kind, dict[Pair, None]] = {kind: {} for kind in Kind}
        for item in items:
            if item.strand is not None and item.topic in self._blocks:
                self._pairs[item.kind][item.pair] = None
        self._n_of = {kind: Counter(topic for topic, _ in pairs) for kind, pairs in self._pairs.items()}
        self.block_cards = len(ordinary) / max(1, self._blocks.total())
        self.topic_cards = len(ordinary) / max(1, len(self._blocks))

    def unmet(self, kind: Kind, person: Person) -> tuple[int, ...]:
        """How many of the kind the person has not met, for each topic."""
        met = Counter(pair[0] for pair in person.met if pair in self._pairs[kind])
        return tuple(self._n_of[kind][topic] - met[topic] for topic in self._blocks)

    def visits_again(self, cards: float) -> float:
        """Of the blocks that a person takes for so many ordinary cards: how many are of a topic they have been to."""
        n_blocks = self._blocks.total()
        if not n_blocks:
            return 0.0
        visits = min(cards / self.block_cards, n_blocks)
        topics = sum(1 - (1 - visits / n_blocks) ** n for n in self._blocks.values())
        return max(0.0, visits - topics)

    @property
    def has_later_blocks(self) -> bool:
        """Whether a topic has two blocks, so that repeats can come."""
        return any(n > 1 for n in self._blocks.values())
