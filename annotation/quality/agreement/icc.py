"""Intraclass correlations of items judged by whomever, ICC(1) and ICC(k): P. E. Shrout and J. L.
Fleiss, Psychological Bulletin 86 (1979), forms (1,1) and (1,k); K. O. McGraw and S. P. Wong,
Psychological Methods 1 (1996).

The share of the variance of grades that lies between items, grades taken as numbers. Unequal
numbers of judgments: the analysis of variance estimator, with n₀ = (N − Σ n²/N)/(n_items − 1) in
the place of k.
"""

from typing import NamedTuple

import numpy as np

from annotation.quality.agreement.counts import GradeCounts
from annotation.quality.agreement.result import Agreement
from annotation.quality.agreement.sums import Sums
from annotation.quality.arrays import Floats, divided

_UNEQUAL = "The items have unequal numbers of judgments, so there is no one mean of k judgments to speak of."
_NO_SPREAD = "The items do not differ in their mean grade."
_NOISE = 1e-12  # what rounding can do to a sum of squares, relative to it


class Squares(NamedTuple):
    """Mean squares of the one-way analysis of variance, (…) each, and n₀."""

    between: Floats
    within: Floats
    size: Floats


def icc_one(table: GradeCounts) -> Agreement:
    """ICC(1): of a single judgment. Over items with two judgments or more; undefined for fewer than two such items."""
    return _too_few(table) or table.agreement(float(icc_values(Sums.of(table))))


def icc_mean(table: GradeCounts) -> Agreement:
    """ICC(k): of the mean of k judgments; only where every item compared has the same number k."""
    if few := _too_few(table):
        return few
    n = table.n[table.shared]
    if n.min() != n.max():
        return Agreement(None, _UNEQUAL, len(n), int(n.sum()), table.n_comparable)
    between, within, _ = _squares(Sums.of(table))
    if between <= 0:
        return Agreement(None, _NO_SPREAD, len(n), int(n.sum()), table.n_comparable)
    return table.agreement(float((between - within) / between))


def icc_values(sums: Sums) -> Floats:
    """(…): ICC(1) of each resample, NaN where undefined."""
    between, within, size = _squares(sums)
    total = between + (size - 1) * within
    return np.where(total > 0, (between - within) / np.where(total > 0, total, 1), np.nan)


def _too_few(table: GradeCounts) -> Agreement | None:
    n = table.n[table.shared]
    if len(n) != 1:
        return None if len(n) else table.agreement(np.nan)
    return Agreement(None, "Only one item has two judgments: it takes two items.", 1, int(n.sum()), table.n_comparable)


def _squares(sums: Sums) -> Squares:
    n, margin = sums.margin.sum(axis=-1), sums.margin
    square = margin @ (sums.values**2).astype(np.float64)
    free = np.maximum(sums.n_shared - 1, 0)
    between = _without_noise(sums.between - divided((margin @ sums.values) ** 2, n), square)
    within = _without_noise(square - sums.between, square)
    size = divided(n - divided(sums.n_squared, n), free)
    return Squares(divided(between, free), divided(within, n - sums.n_shared), size)


def _without_noise(part: Floats, whole: Floats) -> Floats:
    return np.where(part > _NOISE * whole, part, 0.0)
