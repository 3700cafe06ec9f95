"""Evaluating a run against a sample of judgments."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from annotation.text.counted import percent
from evaluation.engine.arrays import Floats
from evaluation.engine.options import DEFAULT_OPTIONS, Options
from evaluation.engine.run import PackedRun
from evaluation.engine.sampled.base import SampledMeasure
from evaluation.engine.sampled.prels import Prels
from evaluation.engine.sampled.sample import find_sample
from evaluation.engine.scorer import Averaging, MeasureValues, check_request, evaluation_of, topics_averaged

ROUNDING = 1e-9  # of a mean of quotients


@dataclass(frozen=True, eq=False)
class SampledValues(MeasureValues):
    """The values of a run, estimated. `without_relevant` has no relevant document in the sample."""

    n_relevant: Floats = field(repr=False, kw_only=True)  # (n_topics,) estimated documents of a grade ≥ 1 in the pool
    part_judged: float = field(kw_only=True)  # of the pool, the mean over topics
    least_judged: tuple[float, ...] = field(kw_only=True)  # (n_measures,) as `SampledMeasure.least_judged`

    def no_interval(self, column: int) -> str:
        least = self.least_judged[column]
        if self.part_judged >= least - ROUNDING:
            return ""
        name = self.measures[column]
        sooner = "; infNDCG(fractions='counted') has one sooner" if least == 1 else ""
        return (
            f"no interval of {name}: {percent(self.part_judged)} of the pool is judged, and below {percent(least)} the "
            f"mean is off by more than an interval over topics knows{sooner}"
        )


def evaluate_sampled(
    run: PackedRun,
    prels: Prels,
    measures: Sequence[SampledMeasure],
    *,
    averaging: Averaging = "complete",
    options: Options = DEFAULT_OPTIONS,
) -> SampledValues:
    """Estimate a run's values from a sample of judgments.

    `averaging` as in `scorer.evaluate`. Of the options `ties` (but for "averaged"), `trec_eval` and `depth` count; the
    others contradict a sample. Raises `ValueError` for these, for no measures, for a measure that needs strata where
    the sample has none, and under "retrieved" where the run has none of the topics.
    """
    _check(prels, measures, averaging, options)
    sample = find_sample(run, prels, options)
    evaluation = evaluation_of(
        run,
        prels.qrels,
        np.stack([measure.estimate(sample) for measure in measures], axis=1),
        measures,
        in_run=sample.in_run,
        judged_row=sample.row[sample.grade >= 0],
        averaging=averaging,
        options=options,
        top_grade=max(int(prels.qrels.grade.max()), 1),
        source="sample",
    )
    averaged = topics_averaged(sample.in_run, averaging)
    return SampledValues(
        **vars(evaluation),
        n_relevant=sample.n_relevant(1)[averaged],
        part_judged=float(prels.part_judged[averaged].mean()),
        least_judged=tuple(measure.least_judged for measure in measures),
    )


def _check(prels: Prels, measures: Sequence[SampledMeasure], averaging: Averaging, options: Options) -> None:
    check_request(measures, averaging)
    for measure in measures:
        if measure.needs_strata and prels.strata is None:
            raise ValueError(f"{measure} needs the strata of the pool, which these judgments do not have")
    allowed = Options(ties=options.ties, trec_eval=options.trec_eval, depth=options.depth)
    if options != allowed or options.ties == "averaged":
        wrong = [f.name for f in fields(Options) if getattr(options, f.name) != getattr(allowed, f.name)] or ["ties"]
        raise ValueError(f"the option {wrong[0]} does not go with sampled judgments")
