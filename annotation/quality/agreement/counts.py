"""The table that most coefficients read: how often each item got each grade."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from annotation.quality.agreement.result import ALIKE, Agreement
from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes, grade_counts

_MOST_KEYS = 1 << 62
_MOST_CELLS = 1 << 22  # patterns that are counted in a table; more are sorted


@dataclass(frozen=True, eq=False)
class GradeCounts:
    """`counts`: (n_items, n_grades); `values`: (n_grades,), the grades, ascending; `topic`: (n_items,) codes, or None.

    Items with one judgment, or none, may stand in it: coefficients say what they make of them. Raises `ValueError` for
    shapes that do not match and for counts below 0.
    """

    counts: Ints
    values: Ints
    n_annotators: int = 0  # people with a judgment; 0: not known
    n_comparable: int = 0  # of these, people with a judgment on an item that others judged too; 0: not known
    topic: Ints | None = None

    def __post_init__(self) -> None:
        if self.counts.ndim != 2 or self.counts.shape[1] != len(self.values):
            raise ValueError(f"one column a grade is needed, not {self.counts.shape} for {len(self.values)} grades")
        if self.counts.size and self.counts.min() < 0:
            raise ValueError("an item has a grade less than 0 times")
        if self.topic is not None and self.topic.shape != (len(self.counts),):
            raise ValueError("every item needs one topic")

    @cached_property
    def n(self) -> Ints:
        """(n_items,): judgments of each item."""
        return self.counts @ np.ones(self.counts.shape[1], dtype=np.int64)  # faster than a sum over a short axis

    @cached_property
    def shared(self) -> Bools:
        """(n_items,): whether an item has two judgments or more."""
        return np.asarray(self.n >= 2)

    @cached_property
    def patterns(self) -> tuple[Ints, Ints]:
        """The different rows of `counts`, (n_patterns, n_grades), and how many items have each, (n_patterns,).

        Items with the same counts are alike to every coefficient. A million judgments have some hundred patterns.
        """
        base = int(self.counts.max(initial=0)) + 1
        n_keys = base ** self.counts.shape[1]
        if n_keys > _MOST_KEYS:
            _, first, times = np.unique(_row_keys(self.counts, base), return_index=True, return_counts=True)
            return self.counts[first], times.astype(np.int64)
        weight = base ** np.arange(self.counts.shape[1])
        key = self.counts @ weight
        if n_keys <= _MOST_CELLS:
            every = np.bincount(key)
            present = np.flatnonzero(every)
            return present[:, None] // weight % base, every[present].astype(np.int64)
        present, times = np.unique(key, return_counts=True)
        return present[:, None] // weight % base, times.astype(np.int64)

    @cached_property
    def compared(self) -> tuple[int, int]:
        """Items with two judgments or more, and the judgments on them."""
        rows, times = self.patterns
        n = rows.sum(axis=1)
        return int(times[n >= 2].sum()), int((n * times)[n >= 2].sum())

    def agreement(self, value: float, *, observed: float | None = None, expected: float | None = None) -> Agreement:
        """The result of a coefficient that is `value` on this table; NaN: undefined, with the reason."""
        n_items, n_judgments = self.compared
        reason = self.nothing_to_compare or (ALIKE if np.isnan(value) else "")
        number = None if reason else float(value)
        shares = (observed, expected) if n_items else (None, None)
        return Agreement(number, reason, n_items, n_judgments, self.n_comparable, *shares)

    @property
    def nothing_to_compare(self) -> str:
        """Why no two judgments can be compared; empty where some can."""
        if self.compared[0]:
            return ""
        if not self.counts.any():
            return "There are no judgments to compare."
        return "Only one person has judged." if self.n_annotators == 1 else "No item was judged by two people."


def counts_of_votes(votes: Votes, scale: Scale, topic: Ints | None = None) -> GradeCounts:
    """The table of votes, of which each person has one an item at most; `topic`: (n_pairs,)."""
    counts = grade_counts(votes, scale)
    people = np.bincount(votes.annotator)
    comparable = np.bincount(votes.annotator, weights=votes.n[votes.pair] >= 2)
    return GradeCounts(counts, scale.values, int((people > 0).sum()), int((comparable > 0).sum()), topic)


def _row_keys(counts: Ints, base: int) -> Ints:
    """(n_items,): equal for equal rows, and for no others; numbered anew whenever the next column would not fit."""
    key, n_keys = np.zeros(len(counts), dtype=np.int64), 1
    for column in counts.T:
        if n_keys * base > _MOST_KEYS:
            present, key = np.unique(key, return_inverse=True)
            n_keys = len(present)
        key, n_keys = key * base + column, n_keys * base
    return key


def distances(values: Ints) -> Floats:
    """(n_grades, n_grades): how far any two grades are apart, as numbers."""
    return np.asarray(np.abs(values[:, None] - values[None, :]), dtype=np.float64)
