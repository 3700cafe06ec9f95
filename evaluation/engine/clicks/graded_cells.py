"""The cells of a log whose pairs are judged, and sums over them by pair and by grade."""

import numpy as np

from evaluation.engine.arrays import Floats, Ints, segment_sums
from evaluation.engine.clicks.corrected import Corrected, Estimator, corrected
from evaluation.engine.clicks.counts import ClickCounts
from evaluation.engine.clicks.position_bias import Propensities
from evaluation.engine.qrels import Qrels

UNJUDGED = -1


def grades_of(counts: ClickCounts, qrels: Qrels) -> Ints:
    """Of each pair of the log, `UNJUDGED` where it has none or a negative one. (n_pairs,)"""
    grades: dict[str, dict[str, int]] = {}
    for at, number in enumerate(qrels.numbers):
        rows = np.arange(qrels.start[at], qrels.start[at + 1])
        grades[number] = dict(zip(qrels.docno.take(rows), qrels.grade[rows].tolist(), strict=True))
    empty: dict[str, int] = {}
    of_topic = [grades.get(number, empty) for number in counts.numbers]
    pairs = zip(counts.topic.tolist(), counts.docno, strict=True)
    return np.array([max(UNJUDGED, of_topic[topic].get(docno, UNJUDGED)) for topic, docno in pairs], np.int64)


class GradedCells:
    """The cells of judged pairs at known positions, and sums over them."""

    def __init__(self, counts: ClickCounts, grade: Ints, estimator: Estimator) -> None:
        self.counts, self.estimator = counts, estimator
        self.grade = grade  # (n_pairs,)
        self.cell_grade = grade[counts.pair]
        self.n_grades = int(self.cell_grade.max(initial=0)) + 1
        self.shown = segment_sums(counts.impressions, counts.pair, counts.n_pairs)
        self.clicked = segment_sums(counts.clicks, counts.pair, counts.n_pairs)
        self.pairs = np.flatnonzero(self.shown > 0)
        with np.errstate(invalid="ignore"):
            self.ctr = self.clicked / self.shown  # (n_pairs,)

    def by_pair(self, theta: Propensities) -> Corrected:
        counts = self.counts
        at = theta.at(counts.position)
        return corrected(
            counts.clicks, counts.impressions, at,
            lambda value: segment_sums(value, counts.pair, counts.n_pairs), self.estimator,
        )  # fmt: skip

    def by_grade(self, theta: Propensities, weight: Floats | None) -> Floats:
        """(2, n_grades): the click-through rate, and the corrected one."""
        counts = self.counts
        at = theta.at(counts.position)
        is_counted = ~np.isnan(at) if weight is None else ~np.isnan(at) & (weight > 0)
        times = np.ones(at.size) if weight is None else weight

        def summed(value: Floats) -> Floats:
            return segment_sums((value * times)[is_counted], self.cell_grade[is_counted], self.n_grades)

        with np.errstate(invalid="ignore"):
            plain = summed(counts.clicks) / summed(counts.impressions)
        return np.stack([plain, corrected(counts.clicks, counts.impressions, at, summed, self.estimator).value])
