"""Every two people who judged an item both, with what they said: one small table a couple.

Made from the judgments in one go, whoever meets whom; only couples that share an item take room.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from annotation.quality.arrays import Floats, Ints
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes, met_on_pairs

_CELLS_AT_ONCE = 1 << 21

OfTables = Callable[[Ints], Floats]  # (n, n_grades, n_grades) → (n,): a coefficient of two people, NaN where undefined


@dataclass(frozen=True, eq=False)
class Couples:
    """Couples by their annotator codes, `first` < `second`, (n_couples,), sorted. `values`: (n_grades,)."""

    first: Ints
    second: Ints
    n_items: Ints  # (n_couples,): items that both judged, at least 1
    couple: Ints  # (n_cells,), ascending; with `cell` and `times` the tables, without their zeros
    cell: Ints  # first's grade · n_grades + second's grade, as places in the scale
    times: Ints
    values: Ints
    n_annotators: int

    def __len__(self) -> int:
        return len(self.first)

    def tables(self) -> Iterator[Ints]:
        """Parts of (n_couples, n_grades, n_grades), in order: rows are grades of the first, columns of the second."""
        g = len(self.values)
        step = max(1, _CELLS_AT_ONCE // (g * g))
        for start in range(0, len(self), step):
            n = min(step, len(self) - start)
            here = slice(*np.searchsorted(self.couple, (start, start + n)))
            part = np.zeros(n * g * g, dtype=np.int64)
            part[(self.couple[here] - start) * g * g + self.cell[here]] = self.times[here]
            yield part.reshape(n, g, g)

    def each(self, coefficient: OfTables) -> Floats:
        """(n_couples,): the coefficient of each couple, NaN where it is undefined."""
        return np.concatenate([np.zeros(0), *(coefficient(part) for part in self.tables())])

    def matrix(self, value: Floats) -> Floats:
        """(n_annotators, n_annotators), symmetric, of one value a couple; NaN for couples without a shared item and on
        the diagonal: nobody is compared with himself."""
        full = np.full((self.n_annotators, self.n_annotators), np.nan)
        full[self.first, self.second] = full[self.second, self.first] = value
        return full

    @cached_property
    def shared(self) -> Ints:
        """(n_annotators, n_annotators): items shared; 0 on the diagonal."""
        full = np.zeros((self.n_annotators, self.n_annotators), dtype=np.int64)
        full[self.first, self.second] = full[self.second, self.first] = self.n_items
        return full


def couples_of(votes: Votes, scale: Scale, n_annotators: int) -> Couples:
    """All couples among votes of which each person has one an item at most. Time grows with the couples of judgments,
    Σ n(n − 1)/2 over the items."""
    g = len(scale.grades)
    parts = [np.unique(key, return_counts=True) for key in _met(votes, scale, n_annotators)]
    every = np.concatenate([np.zeros(0, dtype=np.int64), *(key for key, _ in parts)])
    present, at = np.unique(every, return_inverse=True)
    times = np.bincount(at, weights=np.concatenate([np.zeros(0), *(n for _, n in parts)]), minlength=len(present))
    two, couple = np.unique(present // (g * g), return_inverse=True)
    return Couples(
        first=two // max(n_annotators, 1),
        second=two % max(n_annotators, 1),
        n_items=np.bincount(couple, weights=times, minlength=len(two)).astype(np.int64),
        couple=couple.astype(np.int64),
        cell=present % (g * g),
        times=times.astype(np.int64),
        values=scale.values,
        n_annotators=n_annotators,
    )


def _met(votes: Votes, scale: Scale, n_annotators: int) -> Iterator[Ints]:
    """Parts of one key a couple of judgments: couple of people, and both grades."""
    g, step = len(scale.grades), scale.index_of(votes.grade)
    for one, other in met_on_pairs(votes):
        two = votes.annotator[one] * n_annotators + votes.annotator[other]
        yield (two * g + step[one]) * g + step[other]
