"""The same runs against several qrels, the cases: what each makes of the runs, their order, and which are told apart.

The cases share their topics, so that only grades differ. Means that differ by `SAME` or less are
equal.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.comparison import table_of
from evaluation.engine.measures import parse_measure
from evaluation.engine.scorer import MeasureValues
from evaluation.engine.significance.all_pairs import compare_pairs
from evaluation.engine.significance.correlation import kendall_tau_b, tau_ap_b

ALPHA = 0.05
SAME = 1e-12


@dataclass(frozen=True)
class Swap:
    """Two runs that change places. Differences are of means, `ahead` minus `behind`: above 0 before, below 0 after.

    p is that of the paired randomization test, corrected for all pairs of runs (Holm); None where none can be made.
    """

    ahead: str
    behind: str
    before: float
    after: float
    p_before: float | None
    p_after: float | None


@dataclass(frozen=True)
class OrderChange:
    """What becomes of the order of runs from one case to another; τ is None where all runs are equal in one."""

    before: str
    after: str
    tau_b: float | None
    tau_ap: float | None  # τ-AP,b: symmetric, and the top weighs more
    n_pairs: int
    n_parted: int  # pairs equal in one case alone
    swaps: tuple[Swap, ...]
    n_apart_before: int  # pairs that the test tells apart
    n_apart_after: int
    n_apart_both: int  # the same run ahead


@dataclass(frozen=True)
class Cases:
    """The runs by one measure: `mean[i][j]` is that of run j in case i; a change for each two cases, the earlier one
    before."""

    measure: str
    mean: tuple[tuple[float, ...], ...]  # (n_cases, n_runs)
    changes: tuple[OrderChange, ...]


def compare_cases(
    names: Sequence[str], evaluated: Sequence[Sequence[MeasureValues]], measure: str, *, seed: int, alpha: float = ALPHA
) -> Cases:
    """`evaluated[i]` are the runs in case `names[i]`, in the same order in each, over the same topics.

    A test takes two topics and a measure whose summary is a mean; each case is tested with the same sign vectors, so
    that equal values have equal p. Fewer than two runs have no order: no change. Raises `ValueError` for a measure that
    was not evaluated.
    """
    column = evaluated[0][0].measures.index(measure)
    mean = np.array([[float(one.mean[column]) for one in case] for case in evaluated])
    tags = [one.tag for one in evaluated[0]]
    changes = tuple[OrderChange, ...]()
    if len(tags) > 1:
        p = [_p_of(case, measure, seed) for case in evaluated]
        changes = tuple(
            _change((names[i], names[j]), tags, (mean[i], mean[j]), (p[i], p[j]), alpha)
            for i, j in combinations(range(len(names)), 2)
        )
    return Cases(measure, tuple(tuple(row) for row in mean.tolist()), changes)


def _p_of(case: Sequence[MeasureValues], measure: str, seed: int) -> Floats | None:
    """Corrected p of all pairs of runs, in the order of `combinations`; None where no test can be made."""
    if len(case[0].numbers) < 2 or parse_measure(measure).summary != "mean":
        return None
    return compare_pairs(table_of(case, measure)[2], rng=np.random.default_rng(seed)).adjusted


def _change(
    names: tuple[str, str],
    tags: Sequence[str],
    mean: tuple[Floats, Floats],
    p: tuple[Floats | None, Floats | None],
    alpha: float,
) -> OrderChange:
    before, after = (differences(one) for one in mean)
    sign = np.sign(before) * np.sign(after)
    first, second = (_tested_apart(one, alpha, len(before)) for one in p)
    return OrderChange(
        before=names[0],
        after=names[1],
        tau_b=finite(kendall_tau_b(*map(ranked, mean)).value),
        tau_ap=finite(tau_ap_b(*map(ranked, mean)).value),
        n_pairs=len(before),
        n_parted=int(((before == 0) != (after == 0)).sum()),
        swaps=tuple(_swaps(tags, before, after, p)),
        n_apart_before=int(first.sum()),
        n_apart_after=int(second.sum()),
        n_apart_both=int((first & second & (sign > 0)).sum()),
    )


def _swaps(
    tags: Sequence[str], before: Floats, after: Floats, p: tuple[Floats | None, Floats | None]
) -> Iterable[Swap]:
    """Those told apart most surely first."""
    pairs = list(combinations(tags, 2))
    swaps = []
    for at in np.flatnonzero(before * after < 0).tolist():
        one, other = pairs[at] if before[at] > 0 else pairs[at][::-1]
        p_before, p_after = (None if each is None else float(each[at]) for each in p)
        swaps.append(Swap(one, other, abs(float(before[at])), -abs(float(after[at])), p_before, p_after))
    return sorted(swaps, key=lambda swap: (max(swap.p_before or 0.0, swap.p_after or 0.0), swap.ahead, swap.behind))


def differences(mean: Floats) -> Floats:
    """Of all pairs, first minus second; 0 where rounding alone tells them apart. (n_pairs,)"""
    first, second = np.triu_indices(mean.size, 1)
    difference = mean[first] - mean[second]
    return np.where(np.abs(difference) <= SAME, 0.0, difference)


def ranked(mean: Floats) -> Floats:
    """The means with equal ones the same to the last bit."""
    order = np.argsort(mean, kind="stable")
    level = np.concatenate([[0], np.cumsum(np.diff(mean[order]) > SAME)])
    same = np.empty(mean.size)
    same[order] = level
    return same


def _tested_apart(p: Floats | None, alpha: float, n_pairs: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.zeros(n_pairs, np.bool_) if p is None else p <= alpha


def finite(value: float) -> float | None:
    """The value, None for one that is not a number."""
    return value if np.isfinite(value) else None
