"""What a layout is made from and of, as plain values. Topics, documents and people are row ids here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil

Pair = tuple[int, int]  # topic, document


class Kind(StrEnum):
    """Why an item is in its batch."""

    ORDINARY = "ordinary"
    GOLD = "gold"
    CHECK = "check"


@dataclass(frozen=True)
class Wanted:
    """The settings of a batch that its layout goes by. Shares are parts of all cards that a person sees.

    `opening_cards`: into how many strata a topic's pool is cut, so that the topic can open with one of each; 0: none.
    """

    judgments_per_item: int
    gold_share: float
    check_share: float
    repeat_share: float
    block_size: int
    seed: int
    opening_cards: int = 0

    @property
    def planted_share(self) -> float:
        return self.gold_share + self.check_share + self.repeat_share

    @property
    def coin_shares(self) -> list[float]:
        """By strand: gold, checks, ordinary pairs, repeats. Ordinary ones as often as all that is planted, so that it
        tells nothing that a card was brought by a coin; at most half of the ordinary cards."""
        planted = self.planted_share
        return [self.gold_share, self.check_share, min(planted, (1 - planted) / 2), self.repeat_share]


@dataclass(frozen=True)
class TopicMaterial:
    """A chosen topic: its pool in rank order, its gold with grades, and documents that attention checks may use.

    `taught`: documents of its pairs in the batch's qualification round. Everybody knows the answer: nobody gets them.
    """

    topic: int
    number: str
    pool: tuple[int, ...]
    gold: Mapping[int, int]
    distant: tuple[int, ...] = ()
    taught: frozenset[int] = frozenset()

    @property
    def ordinary(self) -> list[int]:
        return [document for document in self.pool if document not in self.gold and document not in self.taught]

    @property
    def left_out(self) -> list[int]:
        """Documents of the pool that are not laid out: taught, and not known as gold."""
        return [document for document in self.pool if document in self.taught and document not in self.gold]

    def cards(self, wanted: Wanted) -> float:
        """How many cards the topic has for somebody who judges all of it, planted ones included."""
        return len(self.ordinary) / (1 - wanted.planted_share)

    def n_checks(self, wanted: Wanted) -> int:
        """How many different attention checks are laid out for it."""
        return ceil(self.cards(wanted) * wanted.check_share)


@dataclass(frozen=True)
class Person:
    """A participant: the pairs they have met or are sure to meet in other batches, and gold they have judged there.

    `ordinal` is theirs among the collection's annotators, from 1. Chance goes by it: row ids differ between databases.
    `gets_cards`: neither paused nor excluded now; they are planned for in any case, since they may come back.
    """

    annotator: int
    pseudonym: str
    met: frozenset[Pair] = frozenset()
    n_gold_before: int = 0
    ordinal: int = 0
    gets_cards: bool = True


@dataclass(frozen=True)
class Material:
    topics: tuple[TopicMaterial, ...]
    people: tuple[Person, ...]
    wanted: Wanted


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """`strand`: which part of the coins brings it, as `StockItem` has it; None where none does."""

    topic: int
    document: int
    kind: Kind
    grade: int | None
    in_pool: bool
    block: int
    shuffle: int
    stratum: int | None = None
    strand: int | None = None

    @property
    def pair(self) -> Pair:
        return self.topic, self.document


@dataclass(frozen=True)
class PlannedSlot:
    """A slot kept for somebody where they join a layout with reservations: of `items[item]`. `likely`: the person is
    expected to reach it.
    """

    item: int
    block: int
    reserved_for: int | None = None
    due: int | None = None
    transferable: bool = False
    reading: int = 1
    likely: bool = True


@dataclass
class Block:
    """A block as planting sees it: positions in the list of items, and how long a person is in it.

    `cards`: how many cards a person is expected to do in it, planted ones included; `room`: the most they can do.
    """

    number: int
    topic: int
    ordinary: list[int] = field(default_factory=list)
    gold: list[int] = field(default_factory=list)
    checks: list[int] = field(default_factory=list)
    cards: float = 0.0
    room: float = 0.0

    def measure(self, wanted: Wanted, *, n_people: int) -> None:
        """Set `cards` and `room` from the number of ordinary items, the settings and the number of people."""
        n = len(self.ordinary)
        each = min(n, n * wanted.judgments_per_item / n_people) if n_people else 0.0
        self.cards = each / (1 - wanted.planted_share)
        self.room = n / (1 - wanted.planted_share) if n_people else 0.0
