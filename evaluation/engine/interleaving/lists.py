"""Interleaved lists as arrays: what was shown, and where each document stood in each ranking."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Ints

MOST_RANKERS = 20  # to draw of: with more, most have no document in a list
NOBODY = -1  # the team of a document whose clicks count for no ranker
MOST_DEPTH = 63  # positions of a list: the clicks of an impression are the bits of one number


@dataclass(frozen=True, eq=False)
class Lists:
    """`n_lists` lists of one method. `serial` counts the lists of a topic from 1; `length` is that of each list, and
    further positions are padding.

    `team` (n_lists, depth): the ranker that a document counts for, or `NOBODY`; `rank` (n_lists, depth, n_rankers):
    its rank in each ranking that was interleaved, from 1, and 0 where it is not among its first documents.
    """

    method: str
    parameters: dict[str, str]
    rankers: tuple[str, ...]
    number: tuple[str, ...] = field(repr=False)
    serial: Ints = field(repr=False)
    docno: tuple[tuple[str, ...], ...] = field(repr=False)
    team: NDArray[np.int8] = field(repr=False)
    rank: NDArray[np.int16] = field(repr=False)

    @property
    def n_lists(self) -> int:
        return len(self.number)

    @property
    def depth(self) -> int:
        return int(self.team.shape[1])

    @cached_property
    def length(self) -> Ints:
        return np.array([len(one) for one in self.docno], np.int64)

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The topics, each once, in the order of the lists."""
        return tuple(dict.fromkeys(self.number))

    @cached_property
    def topic(self) -> Ints:
        """The topic of each list; indexes `numbers`. (n_lists,)"""
        topic_by_number = {number: i for i, number in enumerate(self.numbers)}
        return np.array([topic_by_number[number] for number in self.number], np.int64)

    def only(self, chosen: Ints) -> "Lists":
        return replace(
            self,
            number=tuple(self.number[at] for at in chosen.tolist()),
            serial=self.serial[chosen],
            docno=tuple(self.docno[at] for at in chosen.tolist()),
            team=self.team[chosen],
            rank=self.rank[chosen],
        )
