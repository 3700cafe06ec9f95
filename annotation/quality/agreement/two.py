"""Coefficients of two people: on one table, and averaged over many couples."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from annotation.quality.agreement.couples import Couples, OfTables
from annotation.quality.agreement.result import ALIKE, Agreement
from annotation.quality.arrays import Floats, Ints

LEAST_SHARED = 10  # items two people must share before what they agree on says anything about them


def table_of_two(table: ArrayLike, values: Sequence[int] | Ints | None) -> tuple[Ints, Ints]:
    """A square table of counts, and the grades of its rows and columns (0, 1, … unless given)."""
    counts = np.asarray(table, dtype=np.int64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or counts.min(initial=0) < 0:
        raise ValueError(f"a square table of counts is needed, not one of shape {counts.shape}")
    grades = np.arange(len(counts)) if values is None else np.asarray(values, dtype=np.int64)
    if grades.shape != (len(counts),):
        raise ValueError(f"{len(grades)} grades do not go with a table of shape {counts.shape}")
    return counts, grades


def agreement_of_two(table: Ints, value: Floats, observed: Floats, expected: Floats) -> Agreement:
    """The result of two people; NaN: undefined, with the reason."""
    n = int(table.sum())
    if not n:
        return Agreement(None, "The two people have no item in common.", 0, 0, 0)
    reason = ALIKE if np.isnan(value) else ""
    return Agreement(None if reason else float(value), reason, n, 2 * n, 2, float(observed), float(expected))


def mean_over_couples(couples: Couples, coefficient: OfTables, *, least: int = LEAST_SHARED) -> Agreement:
    """Mean over couples that share `least` items or more, each by the number of items it shares.

    R. J. Light, Measures of response agreement for qualitative data, Psychological Bulletin 76 (1971), with weights.
    `n_items` are shared items, counted once a couple. Couples whose coefficient is undefined are left out.
    """
    if not len(couples):
        return Agreement(None, "No item was judged by two people.", 0, 0, 0)
    met = couples.n_items >= least
    if not met.any():
        most = int(couples.n_items.max())
        return Agreement(None, f"No two people share {least} items or more; the most is {most}.", 0, 0, 0)
    each = couples.each(coefficient)
    has_value = met & ~np.isnan(each)
    n, people = int(couples.n_items[met].sum()), len(np.union1d(couples.first[met], couples.second[met]))
    if not has_value.any():
        return Agreement(None, "Of every two people, both gave one and the same grade throughout.", n, 2 * n, people)
    return Agreement(float(np.average(each[has_value], weights=couples.n_items[has_value])), "", n, 2 * n, people)
