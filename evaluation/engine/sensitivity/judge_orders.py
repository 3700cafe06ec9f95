"""The runs under each other judge, beside their order as it stands: means, ranks, τ and the pairs that swap."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.order_changes import differences, ranked
from evaluation.engine.sensitivity.orders import order_under


@dataclass(frozen=True)
class JudgeOrder:
    """`mean` and `rank` are of the tags of the study, in their order. `swaps`: whoever stood ahead comes first in each;
    those that stood furthest apart first. τ is None where all runs are equal in one of the two orders."""

    judge: str
    mean: tuple[float, ...]
    rank: tuple[int, ...]
    tau_b: float | None
    tau_ap: float | None  # τ-AP,b: symmetric, and the top weighs more
    swaps: tuple[tuple[str, str], ...]


def judge_orders(tags: Sequence[str], base: Floats, judges: Sequence[str], means: Floats) -> tuple[JudgeOrder, ...]:
    """`tags`, `base` (n_runs,) and `means` (n_judges, n_runs) in one order of runs, which `mean` and `rank` keep."""
    under = order_under("judges", tags, base, means, cases=judges)
    return tuple(
        JudgeOrder(
            judge=judge,
            mean=tuple(mean.tolist()),
            rank=tuple(ranks_of(mean).tolist()),
            tau_b=tau_b,
            tau_ap=tau_ap,
            swaps=tuple(_swaps(tags, base, mean)),
        )
        for judge, mean, tau_b, tau_ap in zip(judges, means, under.tau_b, under.tau_ap, strict=True)
    )


def ranks_of(mean: Floats) -> Ints:
    """1 + the runs with a greater mean, (n_runs,): means that differ by 1e-12 or less share their best rank."""
    level = ranked(mean)
    rank: Ints = 1 + (level[None, :] > level[:, None]).sum(axis=1)
    return rank


def _swaps(tags: Sequence[str], base: Floats, mean: Floats) -> Iterator[tuple[str, str]]:
    pairs, before, after = list(combinations(tags, 2)), differences(base), differences(mean)
    at = np.flatnonzero(before * after < 0)
    for pair in at[np.argsort(-np.abs(before[at]), kind="stable")].tolist():
        one, other = pairs[pair]
        yield (one, other) if before[pair] > 0 else (other, one)
