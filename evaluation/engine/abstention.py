"""How well a run's scores tell the topics it serves badly: what it would gain by not answering those.

A value of a whole run over its topics, not of one topic: so it is no measure of `measures/`.
"""

from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Bools, Floats
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import MeasureValues

RATES = np.linspace(0, 1, 11)[:-1]  # shares of the topics that go unanswered: 0, 0.1 … 0.9


@dataclass(frozen=True)
class Abstention:
    """nAUC of each measure, in the order of the evaluation, by three signs of confidence in a topic's scores.

    `max`: the highest; `std`: their standard deviation (over n); `diff1`: the highest less the next. None where all
    topics have the same value of the measure, so that nothing can be gained.
    """

    max: tuple[float | None, ...]
    std: tuple[float | None, ...]
    diff1: tuple[float | None, ...]


def abstention(run: PackedRun, evaluation: MeasureValues) -> Abstention:
    """From the run and its evaluation; over the topics that the run has. As MTEB's `nauc_ndcg_at_10_max` and its kin.

    Raises `ValueError` where the evaluation has none of the run's topics.
    """
    index = {number: t for t, number in enumerate(run.numbers)}
    topic = np.array([index.get(number, -1) for number in evaluation.numbers])
    if not (topic >= 0).any():
        raise ValueError("the evaluation has none of the topics of the run")
    value = evaluation.value[topic >= 0]  # (n_topics, n_measures)
    return Abstention(
        *(tuple(nauc(sign[topic[topic >= 0]], one) for one in value.T) for sign in signs_of_confidence(run))
    )


def signs_of_confidence(run: PackedRun) -> tuple[Floats, Floats, Floats]:
    """`(max, std, diff1)` of the scores of each topic of the run, (n_topics,) each; 0 for want of a second score."""
    start, n = run.start[:-1], np.diff(run.start)
    highest = run.score[start]
    away = run.score - np.repeat(np.add.reduceat(run.score, start) / n, n)
    std = np.sqrt(np.add.reduceat(away * away, start) / n)
    return highest, std, highest - run.score[start + (n > 1)]


def nauc(confidence: Floats, value: Floats) -> float | None:
    """How far abstaining by confidence goes from abstaining at random (0) towards the best there can be (1).

    `confidence` and `value` are (n_topics,). At each of `RATES` the topics of least confidence go unanswered, and the
    mean value of the others is a point of a curve; nAUC = (area − flat area) / (best area − flat area), where the best
    curve abstains by the value itself. Topics of equal confidence count with their mean: what is expected if chance
    decides. Below 0: worse than at random. None if all values are equal.

    Gisserot-Boukhlef and others, Towards trustworthy reranking: a simple yet effective abstention mechanism, TMLR 2024,
    with the ties of MTEB 2.26.
    """
    if (value == value[0]).all():
        return None
    flat = value.mean() * (RATES[-1] - RATES[0])
    best = np.trapezoid(_curve(value, value), RATES) - flat
    return float((np.trapezoid(_curve(confidence, value), RATES) - flat) / best)


def _curve(confidence: Floats, value: Floats) -> Floats:
    """The mean value of the topics answered at each rate, at least one. (n_rates,)"""
    order = np.argsort(confidence, kind="stable")
    new: Bools = np.append(True, np.diff(confidence[order]) > 0)
    group = np.cumsum(new) - 1
    expected = (np.bincount(group, value[order]) / np.bincount(group))[group]
    unanswered = [min(round(rate * value.size), value.size - 1) for rate in RATES.tolist()]
    return np.array([expected[n:].mean() for n in unanswered])
