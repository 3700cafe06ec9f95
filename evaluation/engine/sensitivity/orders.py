"""What becomes of the order of runs in the cases of one kind of change: τ-b, τ-AP and the pairs of runs that swap."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from evaluation.engine.arrays import Bools, Floats
from evaluation.engine.order_changes import differences, finite, ranked
from evaluation.engine.significance.correlation import kendall_tau_b, tau_ap_b

NAMED = 5  # cases that are named for each pair of runs that swaps


@dataclass(frozen=True)
class PairSwap:
    """Two runs that change places in `n` of the cases; `difference` is that of their means as they stand."""

    ahead: str
    behind: str
    difference: float
    n: int
    cases: tuple[str, ...]  # the first of them; none where cases are drawn and have no names


@dataclass(frozen=True)
class OrderUnder:
    """A kind of change: what each of its cases makes of the order. A refused one has no case, and says why.

    τ is between the order as it stands and that of the case; None where all runs are equal in one of them.
    """

    kind: str
    cases: tuple[str, ...] = field(repr=False, default=())  # their names; empty where they are drawn
    tau_b: tuple[float | None, ...] = field(repr=False, default=())
    tau_ap: tuple[float | None, ...] = field(repr=False, default=())
    n_swaps: tuple[int, ...] = field(repr=False, default=())  # pairs of runs that change places in each case
    swaps: tuple[PairSwap, ...] = ()  # each pair of runs that does, the most often first
    refusal: str = ""

    @property
    def n_cases(self) -> int:
        return len(self.n_swaps)

    @property
    def n_held(self) -> int:
        """Cases in which no two runs change places."""
        return self.n_swaps.count(0)

    def quantiles(self, tau: Sequence[float | None]) -> tuple[float, float, float] | None:
        """Least, median and greatest of a τ; None where no case has one."""
        taus = [each for each in tau if each is not None]
        return (min(taus), float(np.median(taus)), max(taus)) if taus else None


def order_under(
    kind: str, tags: Sequence[str], base: Floats, means: Floats, *, cases: Sequence[str] = ()
) -> OrderUnder:
    """`base`: (n_runs,), the means as they stand; `means`: (n_cases, n_runs). `cases` are named, or drawn.

    Means that differ by 1e-12 or less are equal: a pair that becomes equal does not swap.
    """
    before = differences(base)
    after = np.array([differences(one) for one in means]).reshape(len(means), before.size)
    swapped = before * after < 0
    levels = ranked(base)
    return OrderUnder(
        kind,
        cases=tuple(cases),
        tau_b=tuple(finite(kendall_tau_b(levels, ranked(one)).value) for one in means),
        tau_ap=tuple(finite(tau_ap_b(levels, ranked(one)).value) for one in means),
        n_swaps=tuple(swapped.sum(axis=1).tolist()),
        swaps=tuple(_swaps(tags, before, swapped, cases)),
    )


def _swaps(tags: Sequence[str], before: Floats, swapped: Bools, cases: Sequence[str]) -> list[PairSwap]:
    pairs, n = list(combinations(tags, 2)), swapped.sum(axis=0)
    swaps = []
    for at in np.flatnonzero(n).tolist():
        one, other = pairs[at] if before[at] > 0 else pairs[at][::-1]
        named = tuple(cases[case] for case in np.flatnonzero(swapped[:, at])[:NAMED].tolist()) if cases else ()
        swaps.append(PairSwap(one, other, abs(float(before[at])), int(n[at]), named))
    return sorted(swaps, key=lambda swap: (-swap.n, swap.difference, swap.ahead, swap.behind))
