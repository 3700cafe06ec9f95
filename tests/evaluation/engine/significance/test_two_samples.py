import math

import numpy as np
import pytest
from scipy import stats

from evaluation.engine.significance.two_samples import two_sample_power, two_sample_sizes


@pytest.mark.parametrize(
    ("effect", "ratio", "sizes"),
    [(0.2, 1, (394, 394)), (0.5, 1, (64, 64)), (0.8, 1, (26, 26)), (0.5, 2, (48, 96))],
)
def test_sizes_as_gpower_says(effect: float, ratio: float, sizes: tuple[int, int]) -> None:
    """G*Power 3.1, difference between two independent means, two tails, alpha .05, power .8."""
    design = two_sample_sizes(effect=effect, ratio=ratio)
    assert (design.n_first, design.n_second) == sizes
    assert design.power >= 0.8


@pytest.mark.parametrize(("n_first", "n_second", "effect"), [(10, 10, 0.9), (34, 20, 0.5), (60, 200, 0.2)])
def test_power_is_that_of_scipys_noncentral_t(n_first: int, n_second: int, effect: float) -> None:
    df, delta = n_first + n_second - 2, effect * math.sqrt(n_first * n_second / (n_first + n_second))
    t = stats.t.ppf(0.975, df)
    expected = stats.nct.sf(t, df, delta) + stats.nct.cdf(-t, df, delta)
    assert two_sample_power(n_first, n_second, effect=effect).power == pytest.approx(expected, abs=1e-9)


def test_power_is_how_often_the_test_rejects() -> None:
    """Against 40,000 simulated studies; the standard error is at most .0025."""
    rng = np.random.default_rng(5)
    first, second = rng.normal(0.4, 0.1, (40_000, 12)), rng.normal(0.5, 0.1, (40_000, 25))
    rejected = stats.ttest_ind(first, second, axis=1).pvalue < 0.05
    design = two_sample_power(12, 25, difference=0.1, deviation=0.1)
    assert design.power == pytest.approx(rejected.mean(), abs=0.01)


@pytest.mark.parametrize("ratio", [0.3, 1.0, 2.5])
@pytest.mark.parametrize("effect", [0.03, 0.5, 6.0])
def test_as_many_as_needed_and_not_one_more(effect: float, ratio: float) -> None:
    design = two_sample_sizes(effect=effect, ratio=ratio, power=0.9, alpha=0.01)
    assert design.n_second == max(2, math.ceil(round(ratio * design.n_first, 9)))
    again = two_sample_power(design.n_first, design.n_second, effect=effect, alpha=0.01)
    assert design.power == again.power >= 0.9
    if design.n_first > 2:
        fewer = design.n_first - 1, max(2, math.ceil(round(ratio * (design.n_first - 1), 9)))
        assert two_sample_power(*fewer, effect=effect, alpha=0.01).power < 0.9


def test_a_difference_is_one_in_deviations() -> None:
    assert two_sample_sizes(difference=-0.05, deviation=0.1).n_first == 64
    assert two_sample_sizes(difference=-0.05, deviation=0.1).difference == -0.05


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "name either the effect"),
        ({"effect": 0.0}, "cannot be 0"),
        ({"effect": 1.0, "ratio": 0.0}, "a positive number of times as large"),
        ({"effect": 1.0, "ratio": math.inf}, "a positive number of times as large"),
        ({"effect": 1.0, "power": 1.0}, "the power lies between"),
        ({"effect": 1e-9}, "more than 1,000,000 topics"),
    ],
)
def test_sizes_that_cannot_be_said(options: dict[str, float], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        two_sample_sizes(**options)


def test_a_sample_of_one_topic_has_no_deviation() -> None:
    with pytest.raises(ValueError, match="two topics in each sample, not 1 and 30"):
        two_sample_power(1, 30, effect=0.5)
