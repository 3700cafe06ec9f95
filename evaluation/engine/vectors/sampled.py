"""What a search is worth, from some of its queries: an estimate with its interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluation.engine.measures import Measure
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import MeasureValues, evaluate
from evaluation.engine.significance.intervals.mean import mean_interval
from evaluation.engine.significance.intervals.result import MeanInterval, Method
from evaluation.engine.value_range import mean_within


@dataclass(frozen=True)
class SampledMean:
    """The mean of a measure over all `n_all` queries, estimated from those that were drawn."""

    measure: str
    interval: MeanInterval  # narrowed by √(1 − n / n_all): the queries drawn are known
    n_all: int

    @property
    def n_drawn(self) -> int:
        return self.interval.n_topics


def sampled_means(
    run: PackedRun,
    qrels: Qrels,
    measures: Sequence[Measure],
    *,
    drawn: Sequence[str],
    n_all: int,
    method: Method = "percentile",
    confidence: float = 0.95,
    rng: np.random.Generator,
) -> list[SampledMean]:
    """`run` has searched the queries `drawn`, which are a random sample, without replacement, of `n_all` queries.

    A query drawn of which the run has nothing counts 0. By default the interval is the percentile bootstrap's over
    queries; its half-widths are multiplied by √(1 − n / n_all), the correction for a finite population (Cochran,
    Sampling Techniques, 1977, section 2.6), so that a sample of all queries has none. Raises `ValueError` for fewer
    than 2 queries drawn that the qrels have, for a measure whose summary is no mean, and as `mean_interval`.
    """
    refused = [str(one) for one in measures if one.summary != "mean"]
    if refused:
        raise ValueError(f"only means are estimated from a sample, not {', '.join(refused)}")
    evaluation = evaluate(run, qrels, measures)
    rows = _rows(evaluation, drawn)
    if len(rows) < 2:
        raise ValueError(f"an interval takes 2 judged queries at least; {len(rows)} of those drawn are judged")
    share = math.sqrt(max(0.0, 1 - len(rows) / n_all))
    means = []
    for column, name in enumerate(evaluation.measures):
        interval = mean_interval(evaluation.value[rows, column], method=method, confidence=confidence, rng=rng)
        means.append(SampledMean(name, mean_within(_narrowed(interval, share), name), n_all))
    return means


def _rows(evaluation: MeasureValues, drawn: Sequence[str]) -> list[int]:
    wanted = set(drawn)
    return [row for row, number in enumerate(evaluation.numbers) if number in wanted]


def _narrowed(interval: MeanInterval, share: float) -> MeanInterval:
    low, high = (interval.mean + (end - interval.mean) * share for end in (interval.low, interval.high))
    return replace(interval, low=low, high=high)
