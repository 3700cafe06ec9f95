"""Intervals end where the values of a measure end. That each value lies in its range is tested over the corpus."""

import math

import numpy as np
import pytest

from evaluation.engine.comparison import Design, compare
from evaluation.engine.measures import parse_measure
from evaluation.engine.scorer import evaluate_runs
from evaluation.engine.significance.intervals.student import t_interval
from evaluation.engine.value_range import interval_of_mean, mean_within, value_range
from tests.evaluation.engine.made import made_qrels, made_run

INF = math.inf


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("Success@5", (0, 1)),
        ("success_5", (0, 1)),
        ("nDCG@10", (0, 1)),
        ("nDCG(gains={1:2,2:3})", (0, 1)),
        ("nDCG(gains={1:-1})", (-INF, 1)),
        ("DCG@10", (0, INF)),
        ("Hits@10", (0, INF)),
        ("yaap", (-INF, INF)),
        ("utility", (-INF, INF)),
        ("alpha_nDCG@10", (0, INF)),
        ("StRecall@10", (0, 1)),
        ("statAP", (0, INF)),
        ("of somebody's own", (-INF, INF)),
    ],
)
def test_the_values_of_a_measure_have_limits(name: str, limits: tuple[float, float]) -> None:
    assert value_range(name) == limits


def test_what_is_estimated_has_the_score_interval_of_what_it_estimates() -> None:
    value = np.array([0.0, 0.1, 0.4, 0.9, 0.2])
    assert interval_of_mean(value, "xinfAP@1000") == interval_of_mean(value, "AP")
    beyond = interval_of_mean(np.append(value, 1.5), "statAP")
    assert beyond.mean == pytest.approx(3.1 / 6)
    assert beyond.method == "score"
    assert interval_of_mean(value, "DCG").method == "t"


def test_an_interval_ends_with_them() -> None:
    """59 of 60 topics: Student's interval would go up to 1.0167."""
    interval = t_interval(np.array([1.0] * 59 + [0.0]))
    assert interval.high > 1
    within = mean_within(interval, "Success@5")
    assert (within.low, within.mean, within.high) == (interval.low, interval.mean, 1.0)
    assert mean_within(interval, "DCG@10") == interval


def test_the_mean_is_never_outside() -> None:
    """Rounding may take it beyond a limit by the last bit."""
    interval = t_interval(np.array([1.0, 1.0 + 2**-52]))
    assert mean_within(interval, "nDCG").high >= interval.mean


def test_of_one_topic_there_is_none() -> None:
    within = mean_within(t_interval(np.array([0.5])), "AP")
    assert math.isnan(within.low)
    assert math.isnan(within.high)


@pytest.mark.parametrize("interval", ["t", "basic"])
def test_a_difference_is_at_most_the_whole_range(interval: str) -> None:
    """Better by 1 in two topics of three, and equal in one."""
    qrels = made_qrels({number: {"a": 1} for number in "123"})
    good = made_run({number: {"a": 1.0} for number in "123"}, "good")
    poor = made_run({"1": {"a": 1.0}, "2": {"b": 1.0}, "3": {"b": 1.0}}, "poor")
    results = evaluate_runs([good, poor], qrels, [parse_measure("Success@1"), parse_measure("DCG@1")])
    design = Design(interval=interval)  # type: ignore[arg-type]
    pair = compare(results, "Success@1", design, rng=0).pairs[0]
    assert (pair.interval.mean, pair.interval.high) == (2 / 3, 1.0)
    assert compare(results, "DCG@1", design, rng=0).pairs[0].interval.high > 1.0
