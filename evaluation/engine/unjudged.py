"""What unjudged documents leave open: true bounds where a measure has them, scenarios where it has not.

Unjudged is what the run retrieved and the qrels lack, or have with a negative grade.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Measure
from evaluation.engine.options import DEFAULT_OPTIONS
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import MeasureValues, Scoring, evaluate, summarized


@dataclass(frozen=True, eq=False)
class Bounds:
    """Whatever the unjudged documents are worth, every value and mean lies between `lower` and `upper`.

    Up to rounding: sums in another order may differ in the last bits.
    """

    lower: MeasureValues  # unjudged documents count as not relevant: the values as they are usually given
    upper: MeasureValues  # as of the top grade; of RBP, the ranks below the run too

    @property
    def residual(self) -> Floats:
        """upper − lower, (n_topics, n_measures)."""
        return self.upper.value - self.lower.value


@dataclass(frozen=True, eq=False)
class Scenarios:
    """Two cases, which bound nothing: the value may lie outside both once the documents are judged."""

    zero: MeasureValues  # unjudged documents count as not relevant: the values as they are usually given
    top: MeasureValues  # as of the top grade


def bounds(run: PackedRun, qrels: Qrels, measures: Sequence[Measure], **scoring: Unpack[Scoring]) -> Bounds:
    """The lowest and the highest values that judging the unjudged documents, on the same scale, can bring.

    The lowest is that of no document relevant, the highest that of all of the top grade: true of measures that rise or
    stay with each document's grade and depend on the ranking alone, not on how much there is to find (P, RR, Success,
    DCG, RBP, ERR). RBP without a cutoff goes on below the run, which adds p^n at most, for n documents retrieved
    (Moffat and Zobel, TOIS 27(1), 2008); so a topic that is missing from the run has 1 above.

    Raises `ValueError` as `scorer.evaluate` does, for measures without true bounds (see `scenarios`), and for options
    that say already what unjudged documents count as.
    """
    cases = scenarios(run, qrels, measures, **scoring)
    unbounded = [str(measure) for measure in measures if not measure.is_bounded(cases.zero.top_grade)]
    if unbounded:
        raise ValueError(f"no true bounds for {', '.join(unbounded)}: only scenarios")
    depth = scoring.get("options", DEFAULT_OPTIONS).depth
    return Bounds(cases.zero, with_beyond(run, cases.top, measures, depth))


def scenarios(run: PackedRun, qrels: Qrels, measures: Sequence[Measure], **scoring: Unpack[Scoring]) -> Scenarios:
    """The values with every unjudged document counted as not relevant, and with every one as of the top grade.

    For any measure; under "top" the documents count among those there are to find, too. Errors are those of
    `scorer.evaluate`, and `ValueError` for options that say already what unjudged documents count as.
    """
    top = top_case(run, qrels, measures, **scoring)
    return Scenarios(evaluate(run, qrels, measures, **scoring), top)


def top_case(run: PackedRun, qrels: Qrels, measures: Sequence[Measure], **scoring: Unpack[Scoring]) -> MeasureValues:
    """The values with every unjudged document of the top grade; see `scenarios`, also for what it raises."""
    options = scoring.get("options", DEFAULT_OPTIONS)
    if options.unjudged != "zero" or options.judged_only:
        raise ValueError("the options say already what unjudged documents count as")
    scoring["options"] = replace(options, unjudged="top")
    return evaluate(run, qrels, measures, **scoring)


def with_beyond(run: PackedRun, top: MeasureValues, measures: Sequence[Measure], depth: int | None) -> MeasureValues:
    """The top case, to which measures with true bounds add what ranks below the run could be worth."""
    n_retrieved = _n_retrieved(run, top.numbers, depth)
    beyond = [one.beyond(n_retrieved) if one.is_bounded(top.top_grade) else 0.0 * n_retrieved for one in measures]
    value = top.value + np.stack(beyond, axis=1)
    return replace(top, value=value, mean=summarized(value, measures))


def _n_retrieved(run: PackedRun, numbers: Sequence[str], depth: int | None) -> Floats:
    """(n_topics,); 0 for a topic that is missing from the run."""
    length = dict(zip(run.numbers, np.diff(run.start).tolist(), strict=True))
    n = np.array([length.get(number, 0) for number in numbers], np.float64)
    return n if depth is None else np.minimum(n, depth)
