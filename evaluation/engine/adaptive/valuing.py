"""The means of runs from some judgments of a pool: as the judgments were chosen, so must they be read."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from evaluation.engine.adaptive.candidates import UNJUDGED, Candidates
from evaluation.engine.adaptive.regression import ExpectedGrades
from evaluation.engine.adaptive.separating import LEAST_BEST, cut_discount, ideal_dcg
from evaluation.engine.adaptive.stratified import StratifiedOrder
from evaluation.engine.arrays import Floats, Ints, segment_sums, sort_within
from evaluation.engine.backend import backend_for
from evaluation.engine.lookup import Lookup, look_up, stacked
from evaluation.engine.measures import Measure, parse_measure
from evaluation.engine.measures.average_precision import AveragePrecision
from evaluation.engine.measures.ndcg import NDCG
from evaluation.engine.options import DEFAULT_OPTIONS
from evaluation.engine.qrels import Qrels
from evaluation.engine.rankings import rankings_of
from evaluation.engine.run import PackedRun
from evaluation.engine.sampled import SampledMeasure, parse_sampled_measure
from evaluation.engine.sampled.prels import Prels, Strata
from evaluation.engine.sampled.sample import Sample, find_sample
from evaluation.engine.sampled.sample import stacked as stacked_samples


@dataclass(frozen=True, eq=False)
class Rescored:
    """Runs whose pairs are looked up once, to be valued under any grades of these. Unjudged pairs gain nothing."""

    qrels: Qrels = field(repr=False)
    order: Ints = field(repr=False)  # (n_pairs,) the candidate that each pair of the qrels is
    lookup: Lookup = field(repr=False)
    n_runs: int
    measures: tuple[Measure, ...]
    top: int

    @classmethod
    def of(
        cls, runs: Sequence[PackedRun], candidates: Candidates, measures: Sequence[Measure], *, top: int
    ) -> "Rescored":
        qrels, order = indexed_qrels(candidates)
        lookups = [look_up(run, qrels, DEFAULT_OPTIONS, top) for run in runs]
        return cls(qrels, order, stacked(lookups), len(runs), tuple(measures), top)

    def means(self, grade: Ints) -> Floats:
        """`grade` of candidates. (n_measures, n_runs)"""
        means: Floats = self.values(grade).mean(axis=2)
        return means

    def values(self, grade: Ints) -> Floats:
        """(n_measures, n_runs, n_topics)"""
        own = grade[self.order]
        ideal = own[sort_within(self.qrels.start, -own)]
        lookup = replace(self.lookup, grade=own[self.lookup.grade], ideal_grade=ideal)
        rankings = rankings_of(lookup, DEFAULT_OPTIONS, self.top, backend_for(None))
        value = np.stack([measure.per_topic(rankings) for measure in self.measures])
        return value.reshape(len(self.measures), self.n_runs, -1)


@dataclass(frozen=True, eq=False)
class SampledRuns:
    """Runs whose pooled pairs are looked up once, to be valued from any stratified sample of these."""

    prels: Prels = field(repr=False)
    order: Ints = field(repr=False)  # (n_pooled,) the candidate that each pair of the qrels is
    sample: Sample = field(repr=False)  # of all runs, run after run
    measures: tuple[SampledMeasure | None, ...]

    @classmethod
    def of(
        cls,
        runs: Sequence[PackedRun],
        candidates: Candidates,
        strata: StratifiedOrder,
        measures: Sequence[SampledMeasure | None],
    ) -> "SampledRuns":
        pooled = np.flatnonzero(candidates.is_pooled)
        qrels, order = indexed_qrels(candidates.rows(pooled))
        order = pooled[order]
        prels = _prels(qrels, strata.stratum[order])
        sample = stacked_samples([find_sample(run, prels, DEFAULT_OPTIONS) for run in runs])
        return cls(prels, order, sample, tuple(measures))

    def means(self, grade: Ints) -> Floats:
        """NaN for a measure that has no estimate. (n_measures, n_runs)"""
        mean = np.full((len(self.measures), self.sample.n_runs), np.nan)
        for row, values in enumerate(self.values(grade)):
            if values is not None:
                mean[row] = values.mean(axis=1)
        return mean

    def values(self, grade: Ints) -> list[Floats | None]:
        """By measure: (n_runs, n_topics), None where it has no estimate."""
        qrels = replace(self.prels.qrels, grade=grade[self.order])
        assert self.prels.strata is not None
        sample = replace(self.sample, prels=_prels(qrels, self.prels.strata.of_pair))
        return [one.estimate(sample).reshape(sample.n_runs, -1) if one else None for one in self.measures]


def expected_means(universe: Candidates, expected: ExpectedGrades, cutoff: int) -> Floats:
    """nDCG with expected grades where there is no judged one, in the runs and in the best order. (n_runs,)"""
    return _ndcg(universe, expected.grade, expected.grade, cutoff)


def assisted_means(universe: Candidates, expected: ExpectedGrades, grade: Ints, chance: Floats, cutoff: int) -> Floats:
    """nDCG by the difference estimator: each run's DCG of the fitted grades, and on top of it, from the sample, what
    the fit is wrong by, each judged pair standing for 1 / `chance` pairs. (n_runs,)

    DCG is unbiased whatever the regression is worth, but for its having seen the sample; the best DCG is that of
    expected grades.

    Särndal, Swensson and Wretman, Model assisted survey sampling, 1992, chapter 6.
    """
    judged = (grade != UNJUDGED) & (chance > 0)
    weight = np.divide(1.0, chance, out=np.zeros(chance.size), where=judged)
    gain = expected.fitted + np.where(judged, (grade - expected.fitted) * weight, 0.0)
    return _ndcg(universe, gain, expected.grade, cutoff)


def sampled_measure_for(measure: Measure) -> SampledMeasure | None:
    """What estimates the measure from a stratified sample; None where there is nothing."""
    if is_plain_ndcg(measure):
        return parse_sampled_measure(str(measure).replace("nDCG", "infNDCG"))
    if isinstance(measure, AveragePrecision) and measure.of == "all":
        return parse_sampled_measure(str(measure).replace("AP", "xinfAP"))
    return None


def is_plain_ndcg(measure: Measure) -> bool:
    """With linear gains, and a cutoff."""
    return isinstance(measure, NDCG) and measure.cutoff is not None and measure == parse_measure(_plain_name(measure))


def indexed_qrels(candidates: Candidates) -> tuple[Qrels, Ints]:
    """`(qrels, order)`: qrels whose grades are places among their pairs; the candidate that each of its pairs is."""
    number = [candidates.numbers[t] for t in candidates.topic.tolist()]
    qrels = Qrels.of(number, candidates.docno, np.arange(len(candidates)))
    return replace(qrels, grade=np.arange(len(candidates))), qrels.grade


def _plain_name(measure: Measure) -> str:
    return f"nDCG@{measure.cutoff:g}"


def _ndcg(universe: Candidates, gain: Floats, best_gain: Floats, cutoff: int) -> Floats:
    dcg = universe.totals(cut_discount(universe, cutoff) * gain[:, None])
    best = np.maximum(ideal_dcg(universe, best_gain, cutoff), LEAST_BEST)[:, None]
    means: Floats = (dcg / best).mean(axis=0)
    return means


def _prels(qrels: Qrels, stratum: Ints) -> Prels:
    """`stratum` of each pair, over all topics and from 0."""
    of_pair = np.unique(stratum, return_inverse=True)[1]
    n = int(of_pair.max()) + 1
    judged = qrels.grade >= 0
    topic = np.zeros(n, np.int64)
    topic[of_pair] = qrels.topic
    ordinal = np.arange(n) - np.searchsorted(topic, topic)
    n_pooled, n_judged = np.bincount(of_pair).astype(np.float64), segment_sums(judged, of_pair, n)
    strata = Strata(of_pair, topic, ordinal, n_pooled, n_judged)
    return Prels(qrels, np.where(judged, strata.weight[of_pair], 0.0), strata)
