import math

import numpy as np
import pytest
from scipy import stats

from evaluation.engine.significance.intervals.student import t_interval


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("n", [2, 3, 50])
def test_it_is_scipys_t_interval(n: int, confidence: float) -> None:
    value = np.random.default_rng(n).random(n)
    expected = stats.ttest_1samp(value, 0.0).confidence_interval(confidence)
    interval = t_interval(value, confidence=confidence)
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), rel=1e-12)
    assert (interval.mean, interval.deviation) == pytest.approx((value.mean(), value.std(ddof=1)), rel=1e-12)
    assert (interval.n_topics, interval.method, interval.n_resamples) == (n, "t", 0)


def test_darwins_maize() -> None:
    """Fisher, The Design of Experiments, 1935: t = 2.148 with 14 degrees of freedom, 2.145 at 5 %."""
    differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    interval = t_interval(np.array(differences, np.float64))
    assert interval.mean / (interval.deviation / math.sqrt(15)) == pytest.approx(2.14798746, abs=1e-8)
    assert 0 < interval.low < 0.1


def test_one_topic_and_equal_values() -> None:
    alone = t_interval(np.array([0.3]))
    assert (alone.mean, alone.n_topics) == (0.3, 1)
    assert math.isnan(alone.low)
    assert math.isnan(alone.high)
    assert math.isnan(alone.deviation)
    equal = t_interval(np.array([0.5, 0.5, 0.5]))
    assert (equal.low, equal.high, equal.deviation) == (0.5, 0.5, 0.0)


def test_what_cannot_be_answered() -> None:
    with pytest.raises(ValueError, match="at least 1 topic"):
        t_interval(np.array([]))
    with pytest.raises(ValueError, match="between 0 and 1"):
        t_interval(np.array([1.0, 2.0]), confidence=95)
    with pytest.raises(ValueError, match="must be finite"):
        t_interval(np.array([1.0, np.nan]))
