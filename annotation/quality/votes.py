"""Votes: counted judgments of numbered pairs, and what is read off them pair by pair."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints, crosstab, tally
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable

_MET_AT_ONCE = 1 << 19  # couples of votes


@dataclass(frozen=True, eq=False)
class Votes:
    """Columns of length n_votes; `pair` runs from 0 to n_pairs − 1. All grades are on the scale."""

    pair: Ints
    annotator: Ints
    grade: Ints
    n_pairs: int

    @cached_property
    def n(self) -> Ints:
        """(n_pairs,): votes of each pair."""
        return tally(self.pair, self.n_pairs)

    def of(self, chosen: Bools) -> "Votes":
        """The votes on the chosen pairs, (n_pairs,), which are numbered anew in the same order."""
        new = np.cumsum(chosen) - 1
        keep = chosen[self.pair]
        return Votes(new[self.pair[keep]], self.annotator[keep], self.grade[keep], int(chosen.sum()))

    def by(self, believed: Bools) -> "Votes":
        """The votes of the believed annotators, (n_annotators,); pairs keep their numbers."""
        keep = believed[self.annotator]
        return Votes(self.pair[keep], self.annotator[keep], self.grade[keep], self.n_pairs)


def votes_of_rows(table: JudgmentTable, row: Ints) -> tuple[Votes, Ints]:
    """`(votes, key)`: these rows of the table as votes on the pairs they judge, and the keys of these, ascending."""
    key, pair = np.unique(table.pair[row], return_inverse=True)
    return Votes(pair.astype(np.int64), table.annotator[row], table.grade[row], len(key)), key


@dataclass(frozen=True, eq=False)
class Spread:
    """(n_pairs,) each. minimum, median and maximum are NaN where n is 0; the median of an even number is the mean of
    the two in the middle."""

    n: Ints
    minimum: Floats
    median: Floats
    maximum: Floats


def spread_of(votes: Votes) -> Spread:
    """Number, smallest, middle and largest grade of every pair, by one sort."""
    lowest, highest = int(votes.grade.min(initial=0)), int(votes.grade.max(initial=0))
    width = highest - lowest + 1
    grade = np.sort(votes.pair * width + (votes.grade - lowest)) % width + lowest  # by pair, and then by grade
    n = votes.n
    start = np.cumsum(n) - n
    voted = n > 0
    first, size = start[voted], n[voted]

    def spaced(values: Floats | Ints) -> Floats:
        every = np.full(votes.n_pairs, np.nan)
        every[voted] = values
        return every

    middle = (grade[first + (size - 1) // 2] + grade[first + size // 2]) / 2
    return Spread(n, spaced(grade[first]), spaced(middle), spaced(grade[first + size - 1]))


def grade_counts(votes: Votes, scale: Scale) -> Ints:
    """(n_pairs, n_grades): how often each pair got each grade of the scale."""
    return crosstab(votes.pair, scale.index_of(votes.grade), votes.n_pairs, len(scale.grades))


def met_on_pairs(votes: Votes) -> Iterator[tuple[Ints, Ints]]:
    """Parts of `(one, other)`, places in the columns: every two votes on a pair, the one by the lower annotator code.

    Pairs of as many votes go together. Time grows with the couples of votes, Σ n(n − 1)/2 over the pairs.
    """
    order = np.argsort(votes.pair * (int(votes.annotator.max(initial=0)) + 1) + votes.annotator, kind="stable")
    n = votes.n
    start = np.cumsum(n) - n
    for size in np.unique(n).tolist():
        one, other = np.triu_indices(size, 1)
        of_size = start[n == size]
        for begins in np.array_split(of_size, 1 + len(of_size) * len(one) // _MET_AT_ONCE):
            yield order[(begins[:, None] + one).reshape(-1)], order[(begins[:, None] + other).reshape(-1)]
