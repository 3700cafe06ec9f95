"""What values of sampled topics say about all queries that they were drawn from."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.sampling.estimates import Estimate, hajek_mean, hajek_ratio
from evaluation.engine.scorer import MeasureValues
from evaluation.engine.value_range import value_range


@dataclass(frozen=True)
class MeasureEstimate:
    """`queries`: the mean over all queries; `traffic`: over all times that a query was asked; `sample`: the plain mean
    of the topics, for comparison."""

    run: str
    measure: str
    queries: Estimate
    traffic: Estimate
    sample: float
    n_missing: int  # sampled topics without a value


def estimate_measures(
    evaluation: MeasureValues,
    *,
    number: Sequence[str],
    stratum: Sequence[str],
    probability: Floats,
    count: Ints,
    confidence: float = 0.95,
) -> list[MeasureEstimate]:
    """Hájek estimates for each measure of an evaluated run, their intervals within the values that the measure can
    have. The columns describe the sample, one entry a topic.

    Sampled topics that the evaluation lacks, because nobody judged them, are made up for by the others of their
    stratum: right where they are missing by chance. Raises `ValueError` where the evaluation has a topic that is not in
    the sample, where a stratum of the sample has none left, and as `hajek_mean`.
    """
    topic_by_number = {name: i for i, name in enumerate(number)}
    if strangers := [name for name in evaluation.numbers if name not in topic_by_number]:
        raise ValueError(f"topic {strangers[0]} was evaluated, but is not in the sample ({len(strangers)} of them)")
    at = np.array([topic_by_number[name] for name in evaluation.numbers])
    _, code = np.unique(np.array(stratum), return_inverse=True)
    share = np.bincount(code[at], minlength=code.max() + 1) / np.bincount(code)
    if (share == 0).any():
        empty = stratum[int(np.flatnonzero(share[code] == 0)[0])]
        raise ValueError(f"no topic of the stratum {empty} has a value: nothing can be said about its queries")
    h, pi, asked = code[at], (probability * share[code])[at], count[at].astype(np.float64)
    if not asked.any():
        raise ValueError("the counts of all evaluated topics are 0: there is no mean over traffic")
    return [
        MeasureEstimate(
            run=evaluation.tag,
            measure=measure,
            queries=hajek_mean(value, pi, stratum=h, confidence=confidence).within(*limits),
            traffic=hajek_ratio(value * asked, asked, pi, stratum=h, confidence=confidence).within(*limits),
            sample=float(value.mean()),
            n_missing=len(number) - at.size,
        )
        for measure, limits, value in zip(
            evaluation.measures, map(value_range, evaluation.measures), evaluation.value.T, strict=True
        )
    ]
