"""Wilcoxon's signed rank test."""

import math
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.significance.inputs import NOISE, checked_values
from evaluation.engine.significance.paired.result import (
    Alternative,
    PairedTest,
    checked_alternative,
    paired_result,
    tails,
)

Zeros: TypeAlias = Literal["drop", "pratt"]
EXACT_UP_TO = 200  # topics; beyond, a normal tail is off by less than 0.001


def wilcoxon(difference: ArrayLike, *, alternative: Alternative = "two-sided", zeros: Zeros = "drop") -> PairedTest:
    """Do the positive ranks of |difference| outweigh the negative ones? Statistic: W⁺, the sum of the positive ranks.

    Equal magnitudes (up to rounding) share the mean of their ranks. Differences of 0 are dropped before ranking
    (Wilcoxon), or ranked and then dropped (`zeros='pratt'`). Up to 200 ranked differences p is exact, ties included:
    the ranks keep their places and every sign vector is equally likely. Beyond, normal with continuity correction, the
    variance that of the ranks as they are tied. Two-sided: twice the smaller tail. No difference other than 0:
    p = 1. `difference` is (n_topics,). Raises `ValueError` for fewer than 2 topics, NaN or infinity.

    Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1, 1945; Pratt, Remarks on zeros and ties
    in the Wilcoxon signed rank procedures, JASA 54, 1959.
    """
    value, side = checked_values(difference), checked_alternative(alternative)
    if zeros not in ("drop", "pratt"):
        raise ValueError(f"zeros are treated by 'drop' or 'pratt', not {zeros!r}")
    ranked = value[value != 0] if zeros == "drop" else value
    double = _double_ranks(np.abs(ranked))[ranked != 0]
    w = int(double[ranked[ranked != 0] > 0].sum())
    exact = double.size <= EXACT_UP_TO
    less, greater = _exact_tails(double, w) if exact else _normal_tails(double, w)
    p = tails(less, greater, side)
    return paired_result(value, test="wilcoxon", alternative=side, statistic=w / 2, p=p, exact=exact)


def _double_ranks(magnitude: Floats) -> Ints:
    """Twice the mean rank of each magnitude, a whole number; (n,)."""
    if magnitude.size == 0:
        return np.zeros(0, np.int64)
    order = np.argsort(magnitude, kind="stable")
    ascending = magnitude[order]
    new = np.diff(ascending, prepend=-1.0) > NOISE * ascending[-1]
    group = np.cumsum(new) - 1
    last = np.cumsum(np.bincount(group))  # the rank of the last of each group
    first = last - np.bincount(group) + 1
    double = np.empty(magnitude.size, np.int64)
    double[order] = (first + last)[group]
    return double


def _exact_tails(double: Ints, w: int) -> tuple[float, float]:
    """P(W ≤ w) and P(W ≥ w) over all sign vectors: each rank in turn is added with probability ½."""
    share = np.zeros(int(double.sum()) + 1)
    share[0] = 1.0
    reached = 1
    for rank in double.tolist():
        reached += rank
        share[:reached] /= 2
        share[rank:reached] += share[: reached - rank].copy()
    return float(share[: w + 1].sum()), float(share[w:].sum())


def _normal_tails(double: Ints, w: int) -> tuple[float, float]:
    from scipy.special import ndtr

    rank = double / 2
    away, scatter = w / 2 - rank.sum() / 2, math.sqrt(float((rank**2).sum()) / 4)
    return float(ndtr((away + 0.5) / scatter)), float(ndtr((0.5 - away) / scatter))
