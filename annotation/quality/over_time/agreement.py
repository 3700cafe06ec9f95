"""Agreement in the course of time: Krippendorff's α of stretches of pairs, and of all pairs up to each.

A pair lies at the moment of its last counted judgment. α and its bootstrap interval over items are
those of `quality.agreement`; ordinal, as on the quality page.
"""

from dataclasses import dataclass

import numpy as np

from annotation.quality.agreement import GradeCounts, bootstrap_intervals, counts_of_votes, krippendorff_alpha
from annotation.quality.agreement.alpha import alpha_values
from annotation.quality.arrays import Ints
from annotation.quality.inputs import Inputs
from annotation.quality.over_time.stretches import stretches
from annotation.quality.votes import votes_of_rows

SEED = 1  # the same page twice shows the same intervals
N_DRAWS = 1000


@dataclass(frozen=True)
class AgreementPoint:
    """α of a stretch; None where it is undefined, its ends where they are. `begin` and `end` are moments."""

    begin: int
    end: int
    n_pairs: int
    value: float | None
    low: float | None
    high: float | None
    reason: str


@dataclass(frozen=True)
class AgreementOverTime:
    """`stretches` one after the other; `cumulative` from the beginning to the end of each, intervals with the last
    two; `before` is everything but the last stretch, where there are two or more."""

    stretches: list[AgreementPoint]
    cumulative: list[AgreementPoint]
    before: AgreementPoint | None

    @property
    def last(self) -> AgreementPoint | None:
        return self.stretches[-1] if self.stretches else None


def agreement_over_time(inputs: Inputs, row: Ints, moment: Ints, *, least: int) -> AgreementOverTime:
    """`row`: rows of the table that agreement is measured on; `moment`, (n_table,): when each was saved; `least`: pairs
    of a stretch. Only pairs with two judgments or more take part."""
    table = inputs.table
    votes, key = votes_of_rows(table, row)
    counts = counts_of_votes(votes, inputs.scale)
    at = np.zeros(len(key), dtype=np.int64)
    np.maximum.at(at, votes.pair, moment[row])
    shared = np.flatnonzero(counts.shared)
    parts = [shared[part] for part in stretches(at[shared], least=least)]
    so_far = [np.concatenate(parts[: i + 1]) for i in range(len(parts))]
    cumulative = [_point(counts, chosen, at, drawn=i >= len(parts) - 2) for i, chosen in enumerate(so_far)]
    points = [_point(counts, chosen, at) for chosen in parts]
    return AgreementOverTime(points, cumulative, cumulative[-2] if len(parts) > 1 else None)


def _point(counts: GradeCounts, chosen: Ints, at: Ints, *, drawn: bool = True) -> AgreementPoint:
    part = GradeCounts(counts.counts[chosen], counts.values)
    alpha = krippendorff_alpha(part)
    low, high, reason = None, None, alpha.reason
    if drawn and alpha.defined:
        interval = bootstrap_intervals(part, {"alpha": alpha_values}, n_draws=N_DRAWS, rng=SEED)["alpha"]
        low, high, reason = interval.low, interval.high, interval.reason
    begin, end = int(at[chosen].min()), int(at[chosen].max())
    return AgreementPoint(begin, end, len(chosen), alpha.value, low, high, reason)
