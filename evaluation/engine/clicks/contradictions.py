"""Pairs that clicks set the other way round than grades: clicked less than what was graded lower,
or more than what was graded higher, in the same topic."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from evaluation.engine.arrays import Floats, Ints, segment_sums
from evaluation.engine.clicks.corrected import Corrected, Estimator, corrected
from evaluation.engine.clicks.counts import ClickCounts
from evaluation.engine.clicks.exact import Shown, exact_tails
from evaluation.engine.clicks.position_bias import Propensities
from evaluation.engine.significance.corrections import adjusted

Kind: TypeAlias = Literal["few", "many"]
KINDS: tuple[Kind, ...] = ("few", "many")


@dataclass(frozen=True)
class Contradiction:
    """`few`: the pair's rate is below `other`, that of all pairs of its topic with lower grades; `many`: above that of
    those with higher grades. `p` is one-sided, `p_adjusted` by Benjamini and Hochberg over all pairs that could be
    set beside others."""

    kind: Kind
    number: str
    docno: str
    grade: int
    clicks: float
    impressions: float
    corrected: float
    other: float
    p: float
    p_adjusted: float


def contradictions_of(
    counts: ClickCounts, grade: Ints, theta: Propensities, by_pair: Corrected, *, estimator: Estimator, q: float
) -> tuple[Contradiction, ...]:
    """Those whose adjusted p is at most `q`, the surest first. `counts` are cells of judged pairs at known positions,
    `grade` (n_pairs,).

    z = (pair − others) / √(both variances at their pooled rate): a score test, which takes propensities as known. Its
    normal tail is far too thin where clicks are few: what it finds has the p of `exact_tails` where that is greater.
    """
    table = _Table(counts, grade, theta, estimator)
    tests = [one for kind in KINDS for one in _tested(kind, table, by_pair, q)]
    values = adjusted([one.p for one in tests], "bh").tolist() if tests else []
    contradictions = [replace(one, p_adjusted=value) for one, value in zip(tests, values, strict=True) if value <= q]
    return tuple(sorted(contradictions, key=lambda one: (one.p_adjusted, one.p, one.number, one.docno)))


def _tested(kind: Kind, table: "_Table", by_pair: Corrected, q: float) -> Iterator[Contradiction]:
    """Of each pair that has others on that side; p is not adjusted yet."""
    from scipy.special import ndtr

    counts = table.counts
    others, (clicks, n_others, looks) = table.beyond(lower=kind == "few"), table.counted_beyond(lower=kind == "few")
    cell = counts.topic * table.n_grades + np.maximum(table.grade, 0)
    at = np.flatnonzero((table.shown > 0) & (n_others[cell] > 0))
    beside, own = _at(others, cell[at]), _at(by_pair, at)
    weight = n_others[cell[at]]
    pooled = (own.value * table.shown[at] + beside.value * weight) / (table.shown[at] + weight)
    error = np.sqrt(own.variance(pooled) + beside.variance(pooled))
    z = np.divide(own.value - beside.value, error, out=np.zeros(at.size), where=error > 0)
    p = ndtr(z if kind == "few" else -z).tolist()
    for row in np.flatnonzero(np.array(p) <= q).tolist():
        beyond = (float(each[cell[at[row]]]) for each in (clicks, n_others, looks))
        tails = exact_tails(table.of_pair(int(at[row])), Shown(*beyond))
        p[row] = max(p[row], tails[KINDS.index(kind)]) if tails else p[row]
    for row, pair in enumerate(at.tolist()):
        yield Contradiction(
            kind=kind,
            number=counts.numbers[counts.topic[pair]],
            docno=counts.docno[pair],
            grade=int(table.grade[pair]),
            clicks=float(table.clicked[pair]),
            impressions=float(table.shown[pair]),
            corrected=float(own.value[row]),
            other=float(beside.value[row]),
            p=p[row],
            p_adjusted=p[row],
        )


def _at(rates: Corrected, rows: Ints) -> Corrected:
    return Corrected(rates.value[rows], rates.slope[rows], rates.curve[rows])


class _Table:
    """Sums by topic and grade, and over all lower or higher grades of a topic: (n_topics · n_grades,)."""

    def __init__(self, counts: ClickCounts, grade: Ints, theta: Propensities, estimator: Estimator) -> None:
        self.counts, self.grade, self.estimator = counts, grade, estimator
        self.n_grades = int(grade.max()) + 1
        self.shape = len(counts.numbers), self.n_grades
        self.theta = theta.at(counts.position)
        self.cell = counts.cell_topic * self.n_grades + grade[counts.pair]
        self.shown = segment_sums(counts.impressions, counts.pair, counts.n_pairs)
        self.clicked = segment_sums(counts.clicks, counts.pair, counts.n_pairs)
        self.looks = segment_sums(counts.impressions * self.theta, counts.pair, counts.n_pairs)

    def _summed(self, value: Floats, *, lower: bool) -> Floats:
        table = segment_sums(value, self.cell, self.shape[0] * self.shape[1]).reshape(self.shape)
        turned = table if lower else table[:, ::-1]
        before = np.cumsum(turned, axis=1) - turned
        return (before if lower else before[:, ::-1]).ravel()

    def of_pair(self, pair: int) -> Shown:
        return Shown(float(self.clicked[pair]), float(self.shown[pair]), float(self.looks[pair]))

    def counted_beyond(self, *, lower: bool) -> tuple[Floats, Floats, Floats]:
        """Clicks, impressions and looks."""
        each = self.counts.clicks, self.counts.impressions, self.counts.impressions * self.theta
        clicks, shown, looks = (self._summed(value, lower=lower) for value in each)
        return clicks, shown, looks

    def beyond(self, *, lower: bool) -> Corrected:
        counts = self.counts
        return corrected(
            counts.clicks,
            counts.impressions,
            self.theta,
            lambda value: self._summed(value, lower=lower),
            self.estimator,
        )
