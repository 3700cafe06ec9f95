import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.intervals.result import mean_of
from evaluation.engine.significance.paired.bootstrap import Statistic, bootstrap_test
from evaluation.engine.significance.paired.result import Alternative
from evaluation.engine.significance.paired.student import paired_t

N = 40_000


def t_of(sample: Floats) -> float:
    mean, deviation = sample.mean(), sample.std(ddof=1)
    if deviation < 1e-12:
        return math.copysign(math.inf, mean)
    return float(mean / (deviation / math.sqrt(sample.size)))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("statistic", ["t", "mean"])
def test_it_is_all_resamples_of_few_topics(statistic: Statistic, alternative: Alternative) -> None:
    """Five topics have 3125 resamples: all of them, one by one, each with its own t."""
    value = np.array([0.31, 0.12, -0.08, 0.44, 0.05])
    turns: dict[str, Callable[[float], float]] = {"two-sided": abs, "greater": float, "less": lambda t: -t}
    turn = turns[alternative]
    of = t_of if statistic == "t" else mean_of
    shifted = value - value.mean()
    seen = turn(of(value))
    all_of_them = [turn(of(shifted[list(drawn)])) for drawn in itertools.product(range(5), repeat=5)]
    expected = np.mean([t >= seen - 1e-12 for t in all_of_them])
    outcome = bootstrap_test(value, alternative=alternative, statistic=statistic, n_resamples=N, rng=0)
    assert abs(outcome.p - expected) < 5 * math.sqrt(expected * (1 - expected) / N) + 1 / N
    assert (outcome.n_draws, outcome.exact) == (N, False)


def test_the_statistic_is_the_one_named() -> None:
    value = np.random.default_rng(0).normal(0.1, 1, 30)
    assert bootstrap_test(value, rng=0).statistic == pytest.approx(paired_t(value).statistic, rel=1e-12)
    assert bootstrap_test(value, statistic="mean", rng=0).statistic == pytest.approx(value.mean())


def test_of_normal_differences_it_is_near_students() -> None:
    value = np.random.default_rng(2).normal(0.3, 1, 60)
    assert bootstrap_test(value, n_resamples=N, rng=0).p == pytest.approx(paired_t(value).p, abs=0.01)


def test_the_seed_decides() -> None:
    value = np.random.default_rng(1).normal(0.2, 1, 40)
    assert bootstrap_test(value, rng=5) == bootstrap_test(value, rng=np.random.default_rng(5))
    assert bootstrap_test(value, rng=5).p != bootstrap_test(value, rng=6).p


def test_p_is_never_0() -> None:
    value = 1 + np.random.default_rng(1).normal(size=50) / 100
    assert bootstrap_test(value, n_resamples=99, rng=0).p == 1 / 100


def test_no_difference_and_one_difference() -> None:
    assert bootstrap_test([0.0, 0.0, 0.0], rng=0).p == 1.0
    with pytest.raises(ValueError, match=r"all differences are equal.*use randomization"):
        bootstrap_test([0.2, 0.2, 0.2], rng=0)


def test_what_cannot_be_answered() -> None:
    with pytest.raises(ValueError, match="at least 2 topics"):
        bootstrap_test([0.1], rng=0)
    with pytest.raises(ValueError, match="must be finite"):
        bootstrap_test([0.1, np.nan], rng=0)
    with pytest.raises(ValueError, match="'t' or 'mean', not 'median'"):
        bootstrap_test([0.1, 0.2], statistic="median", rng=0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one draw"):
        bootstrap_test([0.1, 0.2], n_resamples=0, rng=0)
