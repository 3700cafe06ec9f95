"""Expected ends come by another way: roots of the equation that the interval solves, and scipy's Wilson interval."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from evaluation.engine.significance.intervals.score import score_interval
from evaluation.engine.significance.intervals.student import t_interval

UNIT = (0.0, 1.0)


def ends_by_roots(value: list[float], confidence: float) -> tuple[float, float]:
    """Both means that t refuses only just, in plain Python, of values from 0 to 1."""
    part = math.cbrt(len(value)) / 35
    topics = [(x, 1.0) for x in value] + [(0.0, part), (min(1.0, 2.75 * max(value)) or 1.0, part)]
    n = sum(weight for _, weight in topics)
    mean = sum(weight * x for x, weight in topics) / n
    variance = sum(weight * (x - mean) ** 2 for x, weight in topics) / (n - 1)
    freedom = (len(value) - 1) / max(1e-6, 1 - variance * (n - 1) / n / (mean * (1 - mean)))
    t = float(stats.t.ppf((1 + confidence) / 2, freedom))

    def beyond(mu: float) -> float:
        return (mean - mu) ** 2 - t**2 * variance * mu * (1 - mu) / (mean * (1 - mean)) / n

    low, high = optimize.brentq(beyond, 0, mean), optimize.brentq(beyond, mean, 1)
    return float(low), float(high)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(
    "value", [[0.1, 0.4], [0.0, 0.02, 0.01, 0.9], [1.0, 1.0, 0.5, 0.2, 0.7], [0.3] * 4, [1.0, 0.0, 1.0, 1.0]]
)
def test_the_ends_are_what_t_refuses_only_just(value: list[float], confidence: float) -> None:
    interval = score_interval(np.array(value), UNIT, confidence=confidence)
    assert (interval.low, interval.high) == pytest.approx(ends_by_roots(value, confidence), rel=1e-9)
    assert (interval.mean, interval.deviation) == pytest.approx((np.mean(value), np.std(value, ddof=1)), rel=1e-12)
    assert (interval.n_topics, interval.method) == (len(value), "score")


def test_of_many_yes_and_no_it_is_wilsons() -> None:
    value = np.repeat([1.0, 0.0], [3_000, 17_000])
    expected = stats.binomtest(3_000, 20_000).proportion_ci(method="wilson")
    interval = score_interval(value, UNIT)
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=2e-4)


def test_of_ten_yes_and_no_it_is_wilsons_but_for_what_is_added() -> None:
    """With Student's quantile of 9 degrees of freedom it would be wider by a tenth."""
    value = np.repeat([1.0, 0.0], [8, 2])
    expected = stats.binomtest(8, 10).proportion_ci(method="wilson")
    interval = score_interval(value, UNIT)
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=0.02)


def test_of_many_topics_it_is_that_of_t() -> None:
    value = np.random.default_rng(1).beta(1, 3, 400)
    interval, t = score_interval(value, UNIT), t_interval(value)
    assert (interval.low, interval.high) == pytest.approx((t.low, t.high), abs=0.001)


def test_other_limits_are_a_matter_of_scale() -> None:
    value = np.array([0.1, 0.2, 0.6])
    one, other = score_interval(value, UNIT), score_interval(2 * value - 1, (-1.0, 1.0))
    assert (other.low, other.high) == pytest.approx((2 * one.low - 1, 2 * one.high - 1))


@pytest.mark.parametrize("same", [0.0, 1.0])
def test_topics_that_are_alike_do_not_make_a_mean_certain(same: float) -> None:
    interval = score_interval(np.full(10, same), UNIT)
    assert (interval.low if same == 0 else interval.high) == same
    assert 0.2 < interval.high - interval.low < 0.4


@pytest.mark.parametrize("value", [[5e-9, 5e-11], [0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1 - 5e-9, 1.0]])
@pytest.mark.parametrize("confidence", [1e-9, 0.95, 1 - 1e-7, math.nextafter(1, 0)])
def test_no_end_goes_beyond_the_limits(value: list[float], confidence: float) -> None:
    interval = score_interval(np.array(value), UNIT, confidence=confidence)
    assert 0 <= interval.low <= interval.mean <= interval.high <= 1


def test_one_topic_and_what_cannot_be_answered() -> None:
    alone = score_interval(np.array([0.3]), UNIT)
    assert (alone.mean, alone.n_topics) == (0.3, 1)
    assert math.isnan(alone.low)
    with pytest.raises(ValueError, match="at least 1 topic"):
        score_interval(np.array([]), UNIT)
    with pytest.raises(ValueError, match="between 0 and 1"):
        score_interval(np.array([1.0, 0.2]), UNIT, confidence=95)
