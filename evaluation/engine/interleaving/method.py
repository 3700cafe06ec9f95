"""What a method of interleaving is: how lists are drawn from rankings, and what clicks on them are worth."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, TypeAlias

import numpy as np

from evaluation.engine.arrays import Floats, Ints, Words
from evaluation.engine.interleaving.lists import MOST_DEPTH, Lists


@dataclass(frozen=True)
class Shown:
    """A list: its documents and the team of each."""

    docno: tuple[str, ...]
    team: tuple[int, ...]


Draw: TypeAlias = Callable[[np.random.Generator], Shown]


@dataclass(frozen=True, kw_only=True)
class Method(ABC):
    """A subclass declares its parameters as fields with defaults, and checks them when it is made."""

    title: ClassVar[str]
    pairs_only: ClassVar[bool] = False  # two rankers, no more
    by_credit: ClassVar[bool] = (
        False  # clicks at random are fair in the mean of credits alone, not in who wins how often
    )
    most_depth: ClassVar[int] = MOST_DEPTH

    @abstractmethod
    def drawing(self, rankings: Sequence[Sequence[str]]) -> Draw:
        """Draws lists from the rankings of a topic, which are of one length; so long is each list, too."""

    @abstractmethod
    def credit(self, lists: Lists, row: Ints, clicked: Words) -> Floats:
        """What the clicks of an impression count for each ranker, (n_impressions, n_rankers).

        `row` (n_impressions,) is the list that was shown, bit i of `clicked` a click on position i + 1.
        """

    @classmethod
    def parameters(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls))


@dataclass(frozen=True, kw_only=True)
class CreditByClick(Method):
    """Each click counts for itself, whatever else was clicked."""

    @abstractmethod
    def weight(self, lists: Lists) -> Floats:
        """What a click on each position counts for each ranker, (n_lists, depth, n_rankers)."""

    def credit(self, lists: Lists, row: Ints, clicked: Words) -> Floats:
        shown = np.flatnonzero(np.bincount(row, minlength=lists.n_lists))  # often few of all
        ordinal = np.zeros(lists.n_lists, np.int64)
        ordinal[shown] = np.arange(shown.size)
        weight = self.weight(lists.only(shown))
        total = np.zeros((row.size, len(lists.rankers)))
        for at in range(lists.depth):
            hit = np.flatnonzero(clicked & np.uint64(1 << at))
            total[hit] += weight[ordinal[row[hit]], at]
        return total
