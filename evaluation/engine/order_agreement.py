"""How far two measures put the same runs in the same order."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from evaluation.engine.comparison import Comparison
from evaluation.engine.significance.correlation import Correlation, kendall_tau_b, tau_ap_b
from evaluation.engine.significance.overlap import RankBiasedOverlap, order_by_value, rank_biased_overlap

LEAST = 3  # runs: two are in one order or the other


@dataclass(frozen=True)
class OrderAgreement:
    """Two measures and their orders of the runs by mean. τ-b weighs all pairs alike, τ-AP and RBO the top more."""

    first: str
    second: str
    tau_b: Correlation
    tau_ap: Correlation  # τ-AP,b: symmetric, a tie says that runs are equally good
    overlap: RankBiasedOverlap


def order_agreements(comparisons: Sequence[Comparison], *, p: float = 0.9) -> list[OrderAgreement]:
    """Of each two measures, for three runs or more; none for fewer. `p` is that of RBO."""
    if len(comparisons[0].tags) < LEAST:
        return []
    return [_agreement(a, b, p) for a, b in combinations(comparisons, 2)]


def _agreement(a: Comparison, b: Comparison, p: float) -> OrderAgreement:
    first, second = np.array(a.mean), np.array(b.mean)
    overlap = rank_biased_overlap(order_by_value(a.tags, first), order_by_value(b.tags, second), p=p)
    return OrderAgreement(a.measure, b.measure, kendall_tau_b(first, second), tau_ap_b(first, second), overlap)
