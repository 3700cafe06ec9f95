"""Alarms: the issue's figures, scikit-learn over random grids with ties, brute force."""

import math

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from evaluation.engine.beyond.alarms import (
    alarm_cost,
    average_precision,
    detection_at,
    partial_auc,
    time_to_detection,
)


def tutorial() -> tuple[np.ndarray, np.ndarray]:
    """`np.random.seed(42)`: first 10,000 of `random < .01`, then scores, + .3 where positive, clipped (numpy 2.4)."""
    stream = np.random.RandomState(42)
    positive = stream.random_sample(10_000) < 0.01
    score = stream.random_sample(10_000)
    return np.clip(score + 0.3 * positive, 0, 1), positive


def test_the_figures_of_a_tutorial() -> None:
    score, positive = tutorial()
    assert f"{detection_at(score, positive, false_rate=0.01).rate:.3f}" == "0.242"
    cost = alarm_cost(score, positive, threshold=0.5, false_alarm=100, miss=10_000)
    assert f"{cost.saved:.3f}" == "0.230"
    assert cost.cost == 100 * cost.false_alarms + 10_000 * cost.misses
    assert (cost.never, cost.always) == (10_000 * positive.sum(), 100 * (~positive).sum())


def drawn(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Scores with many ties."""
    n = int(rng.integers(5, 200))
    positive = rng.random(n) < rng.uniform(0.1, 0.6)
    positive[:2] = True, False
    return np.round(rng.normal(0.5 * positive, 1), int(rng.integers(0, 3))), positive


def test_areas_are_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(21)
    for _ in range(200):
        score, positive = drawn(rng)
        assert average_precision(score, positive) == pytest.approx(average_precision_score(positive, score))
        assert partial_auc(score, positive) == pytest.approx(roc_auc_score(positive, score))
        rate = float(rng.uniform(0.01, 0.99))
        theirs = roc_auc_score(positive, score, max_fpr=rate)
        assert partial_auc(score, positive, false_rate=rate, standardised=True) == pytest.approx(theirs)


def test_detection_is_the_most_on_the_roc_curve() -> None:
    rng = np.random.default_rng(22)
    for _ in range(200):
        score, positive = drawn(rng)
        limit = float(rng.choice([0, 0.01, 0.1, 0.5, 0.9]))
        false, true, _ = roc_curve(positive, score, drop_intermediate=False)
        detection = detection_at(score, positive, false_rate=limit)
        assert detection.rate == pytest.approx(true[false <= limit + 1e-12].max())
        assert detection.false_rate <= limit + 1e-12


def test_the_best_threshold_is_the_best_of_all() -> None:
    rng = np.random.default_rng(23)
    for _ in range(100):
        score, positive = drawn(rng)
        costs = {"false_alarm": float(rng.uniform(0, 3)), "miss": float(rng.uniform(0.1, 5))}
        every = [alarm_cost(score, positive, threshold=t, **costs).cost for t in (*np.unique(score), -math.inf)]
        cost = alarm_cost(score, positive, threshold=0.0, **costs)
        assert cost.best_cost == pytest.approx(min(every))
        assert alarm_cost(score, positive, threshold=cost.best_threshold, **costs).cost == pytest.approx(min(every))


def test_time_to_detection() -> None:
    """Three events: alarmed after 2, at once, never; rows of no event do not count."""
    event = [0, 0, 0, -1, 1, 1, 2, 2]
    time = [10, 11, 12, 13, 20, 21, 30, 39]
    score = [0.1, 0.2, 0.9, 0.9, 0.8, 0.1, 0.3, 0.5]
    delays = time_to_detection(time, score, event, threshold=0.5)
    assert (delays.n_events, delays.n_detected, delays.mean, delays.median) == (3, 2, 1.0, 1.0)
    assert [delays.p95, delays.median_of_all] == pytest.approx([1.9, 2.0])
    none = time_to_detection(time, score, event, threshold=1.0)
    assert (none.n_detected, none.median_of_all, math.isnan(none.mean)) == (0, math.inf, True)


@pytest.mark.parametrize(
    ("score", "positive", "reason"),
    [
        ([0.1, 0.2], [1], "2 scores, but 1"),
        ([0.1, math.nan], [1, 0], "finite"),
        ([0.1, 0.2], [1, 1], "anomalies and others"),
        ([0.1, 0.2], [0, 0], "anomalies and others"),
    ],
)
def test_what_is_no_table_of_scores(score: list[float], positive: list[int], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        average_precision(score, positive)


def test_options_that_cannot_be() -> None:
    score, positive = [0.1, 0.9], [0, 1]
    with pytest.raises(ValueError, match="at least 0 and below 1"):
        detection_at(score, positive, false_rate=1.0)
    with pytest.raises(ValueError, match="above 0 and is at most 1"):
        partial_auc(score, positive, false_rate=0.0)
    with pytest.raises(ValueError, match="a miss more than 0"):
        alarm_cost(score, positive, threshold=0.5, false_alarm=1, miss=0)
    with pytest.raises(ValueError, match="no row belongs to an event"):
        time_to_detection([1], [1], [-1], threshold=0)
