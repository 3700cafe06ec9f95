"""How far two orders of the same systems agree: Kendall's τ-b, and τ-AP, which minds the top.

Orders are given by values, (n_systems,) each, the same system at the same place; a higher value is
the better system, equal values are a tie. Every coefficient is 1 for equal orders and −1 for
reversed ones.
"""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from evaluation.engine.arrays import Floats, Ints

CorrelationName: TypeAlias = Literal["tau_b", "tau_AP", "tau_AP_a", "tau_AP_b"]


@dataclass(frozen=True)
class Correlation:
    """A coefficient between −1 and 1; NaN only with a `note` that says why."""

    name: CorrelationName
    value: float
    n_systems: int
    note: str = ""


def kendall_tau_b(first: Floats, second: Floats) -> Correlation:
    """τ-b = (concordant − discordant pairs) / √(pairs not tied in first · pairs not tied in second).

    Symmetric. Without ties it is Kendall's τ. All systems tied in an order: NaN, with a note. Raises `ValueError` for
    fewer than two systems, arrays of different shape and values that are not finite.

    Kendall, The treatment of ties in ranking problems, Biometrika 33, 1945.
    """
    _check(first, second)
    a, b = _signs(first), _signs(second)
    untied = float(np.count_nonzero(a)) * float(np.count_nonzero(b))
    if untied == 0:
        return Correlation("tau_b", math.nan, first.size, "all systems are tied in one of the orders")
    return Correlation("tau_b", float((a * b).sum(dtype=np.int64)) / math.sqrt(untied), first.size)


def tau_ap(reference: Floats, other: Floats) -> Correlation:
    """τ-AP: walk down the other order; at rank i, the share of systems above that the reference has above too.

    τ-AP = 2 / (n − 1) · Σ from rank 2 of C(i) / (i − 1), − 1. Not symmetric: the reference is the order that is held to
    be true. Raises `ValueError` for ties in either (say then what a tie means: `tau_ap_a`, `tau_ap_b`), else as
    `kendall_tau_b`.

    Yilmaz, Aslam and Robertson, A new rank correlation coefficient for information retrieval, SIGIR 2008.
    """
    _check(reference, other)
    _refuse_ties(other, "the other order has ties; tau_ap_a takes them as not decided, tau_ap_b as equality")
    return Correlation("tau_AP", tau_ap_a(reference, other).value, reference.size)


def tau_ap_a(reference: Floats, other: Floats) -> Correlation:
    """τ-AP,a (accuracy): the mean of τ-AP over all ways to break the ties of the other order.

    For a true order without ties and an estimate that may leave systems undecided. Without ties it is `tau_ap`. Raises
    `ValueError` for ties in the reference, else as `kendall_tau_b`.

    Urbano and Marrero, The treatment of ties in AP correlation, ICTIR 2017.
    """
    _check(reference, other)
    _refuse_ties(reference, "the reference has ties; tau_ap_b takes both orders as estimates")
    n = other.size
    agreeing, n_above, n_tied = _agreeing_above(reference, other)
    order = np.lexsort((agreeing, n_above))  # systems as the other order has them; within a tie, any
    rank = np.arange(1, n + 1)
    group = np.searchsorted(n_above[order], n_above[order])  # where the tie of each rank begins
    in_group = np.add.reduceat(agreeing[order], np.unique(group))
    # In a tie, each system is as likely at each rank, and half of the tied systems above it agree with the reference.
    expected = np.repeat(in_group, n_tied[order][np.unique(group)]) / n_tied[order] + (rank - 1 - group) / 2
    return Correlation("tau_AP_a", float(2 * (expected[1:] / (rank[1:] - 1)).mean() - 1), n)


def tau_ap_b(first: Floats, second: Floats) -> Correlation:
    """τ-AP,b (agreement): for two estimated orders, where a tie says that systems are equally good. Symmetric.

    One half is the mean, over the systems that are not tied for the first place, of the share of the systems above them
    (tied ones are not above) that the other order has above too, times 2, − 1; the other half exchanges the two orders.
    Without ties it is the mean of `tau_ap` both ways. All systems tied in an order: NaN, with a note. Errors as
    `kendall_tau_b`.

    Urbano and Marrero, The treatment of ties in AP correlation, ICTIR 2017.
    """
    _check(first, second)
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return Correlation("tau_AP_b", math.nan, first.size, "all systems are tied in one of the orders")
    return Correlation("tau_AP_b", (_one_way(first, second) + _one_way(second, first)) / 2, first.size)


def _one_way(reference: Floats, other: Floats) -> float:
    agreeing, n_above, _ = _agreeing_above(reference, other)
    below = n_above > 0
    return float(2 * (agreeing[below] / n_above[below]).mean() - 1)


def _agreeing_above(reference: Floats, other: Floats) -> tuple[Ints, Ints, Ints]:
    """For each system: how many are above it in both orders, how many in the other, how many share its place there."""
    above = other[:, None] < other[None, :]  # (n_systems, n_systems): whether the column is above the row
    agreeing = above & (reference[:, None] < reference[None, :])
    n_tied = (other[:, None] == other[None, :]).sum(axis=1)
    return agreeing.sum(axis=1), above.sum(axis=1), n_tied


def _signs(value: Floats) -> Ints:
    return np.sign(value[:, None] - value[None, :]).astype(np.int64)  # (n_systems, n_systems)


def _refuse_ties(value: Floats, why: str) -> None:
    if np.unique(value).size < value.size:
        raise ValueError(why)


def _check(first: Floats, second: Floats) -> None:
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(f"{first.size} systems and {second.size}: both orders need the same systems")
    if first.size < 2:
        raise ValueError("an order needs at least two systems")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("the values that order systems must be finite")
