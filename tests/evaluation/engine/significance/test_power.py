import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from evaluation.engine.significance.power import (
    MOST_TOPICS,
    paired_power,
    pilot_deviation,
    smallest_difference,
    topics_needed,
    upper_deviations,
)
from tests.annotation.quality.worked import worked_example


@pytest.mark.shared
def test_topics_needed_as_gpower_says(shared_data: Path) -> None:
    """Worked example topics_needed_paired_t: noncentral t, G*Power and statsmodels' TTestPower."""
    example = worked_example(shared_data, "topics_needed_paired_t")
    alpha, power = example["input"]["alpha"], example["input"]["power"]
    sizes = [topics_needed(effect=effect, alpha=alpha, power=power).n_topics for effect in example["input"]["effect"]]
    assert sizes == example["expected"]["n"]


def test_power_is_how_often_the_test_rejects() -> None:
    """Against 40,000 simulated studies; the standard error is at most .0025."""
    from scipy import stats

    rng = np.random.default_rng(3)
    for n, effect in ((5, 1.2), (34, 0.5), (60, 0.2)):
        rejected = stats.ttest_1samp(rng.normal(effect, 1, (40_000, n)), 0, axis=1).pvalue < 0.05
        assert paired_power(n, effect=effect).power == pytest.approx(rejected.mean(), abs=0.01)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_no_difference_is_found_as_often_as_alpha_says(alpha: float) -> None:
    assert paired_power(10, effect=1e-9, alpha=alpha).power == pytest.approx(alpha, abs=1e-7)


@pytest.mark.parametrize("power", [0.05, 0.5, 0.8, 0.99])
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.4])
@pytest.mark.parametrize("effect", [0.008, 0.03, 0.5, 3.0, 50.0])
def test_as_many_as_needed_and_not_one_more(effect: float, alpha: float, power: float) -> None:
    design = topics_needed(effect=effect, alpha=alpha, power=power)
    assert design.power == paired_power(design.n_topics, effect=effect, alpha=alpha).power >= power
    if design.n_topics > 2:
        assert paired_power(design.n_topics - 1, effect=effect, alpha=alpha).power < power


def test_a_difference_counts_in_deviations() -> None:
    design = topics_needed(difference=-0.02, deviation=0.04)
    assert (design.n_topics, design.effect, design.difference, design.deviation) == (34, 0.5, -0.02, 0.04)
    assert topics_needed(effect=0.5).difference is None


@pytest.mark.parametrize("n", [2, 10, 50, 250])
def test_the_smallest_difference_is_found_with_just_that_power(n: int) -> None:
    design = smallest_difference(n, deviation=0.2, power=0.9)
    assert design.difference == pytest.approx(design.effect * 0.2)
    assert paired_power(n, difference=design.difference, deviation=0.2).power == pytest.approx(0.9, abs=1e-9)
    assert smallest_difference(n, power=0.9).effect == design.effect


def test_the_observed_difference_plays_no_part() -> None:
    pilot = np.random.default_rng(2).normal(0, 0.2, 30)
    without, with_one = pilot_deviation(pilot), pilot_deviation(pilot + 0.5)
    assert without.deviation == pytest.approx(pilot.std(ddof=1))
    assert with_one.deviation == pytest.approx(without.deviation)
    assert with_one.upper == pytest.approx(without.upper)


def test_the_upper_limit_is_the_jackknife_of_the_log_variance() -> None:
    pilot = np.array([0.3, -0.1, 0.05, 0.2, -0.4, 0.01])
    n, log = pilot.size, math.log(pilot.var(ddof=1))
    pseudo = np.array([n * log - (n - 1) * math.log(np.delete(pilot, at).var(ddof=1)) for at in range(n)])
    limit = pseudo.mean() + stats.t.ppf(0.8, n - 1) * pseudo.std(ddof=1) / math.sqrt(n)
    assert pilot_deviation(pilot).upper == pytest.approx(math.exp(limit / 2))


def test_the_upper_limit_is_above_as_often_as_it_says() -> None:
    rng = np.random.default_rng(4)
    above = [pilot_deviation(rng.normal(0, 1, 10), confidence=0.8).upper >= 1 for _ in range(2000)]
    assert np.mean(above) == pytest.approx(0.8, abs=0.03)


def test_the_upper_limit_knows_of_few_large_differences_among_many_small() -> None:
    """As of normal values it would be above in 53 of 100."""
    rng, n = np.random.default_rng(5), 100
    scale = np.where(rng.random((n, 2000)) < 0.1, 1.0, 0.1)
    above = upper_deviations(rng.normal(0, scale), 0.8) >= math.sqrt(0.1 + 0.9 * 0.01)
    assert 0.77 <= above.mean() <= 0.83


@pytest.mark.parametrize("pilot", [[0.1, 0.3], [0.0, 0.0, 0.0, 0.2]])
def test_what_one_topic_decides_has_no_upper_limit(pilot: list[float]) -> None:
    assert pilot_deviation(np.array(pilot)).upper == math.inf


def test_what_cannot_be_answered() -> None:
    with pytest.raises(ValueError, match="name either the effect, or the difference"):
        topics_needed()
    with pytest.raises(ValueError, match="name either the effect, or the difference"):
        topics_needed(effect=0.5, difference=0.1, deviation=0.2)
    with pytest.raises(ValueError, match="a difference needs the standard deviation"):
        topics_needed(difference=0.1)
    with pytest.raises(ValueError, match="an effect does not"):
        paired_power(10, effect=0.1, deviation=0.2)
    for deviation in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="is positive"):
            topics_needed(difference=0.1, deviation=deviation)
        with pytest.raises(ValueError, match="is positive"):
            smallest_difference(10, deviation=deviation)
    with pytest.raises(ValueError, match="cannot be 0"):
        topics_needed(difference=0.0, deviation=0.2)
    with pytest.raises(ValueError, match=r"needs more than 1,000,000 topics"):
        topics_needed(effect=0.0001)
    with pytest.raises(ValueError, match="at least two topics, not 1"):
        paired_power(1, effect=0.5)
    with pytest.raises(ValueError, match="alpha lies between 0 and 1, not 5"):
        topics_needed(effect=0.5, alpha=5)
    with pytest.raises(ValueError, match="the power lies between 0 and 1, not 80"):
        topics_needed(effect=0.5, power=80)
    assert topics_needed(effect=0.003).n_topics < MOST_TOPICS


def test_a_pilot_that_says_nothing() -> None:
    with pytest.raises(ValueError, match="at least 2 topics needed, not 1"):
        pilot_deviation(np.array([0.1]))
    with pytest.raises(ValueError, match="all differences of the pilot topics are equal"):
        pilot_deviation(np.full(5, 0.1))
    with pytest.raises(ValueError, match="finite"):
        pilot_deviation(np.array([0.1, math.inf]))
    with pytest.raises(ValueError, match="between 0 and 1"):
        pilot_deviation(np.array([0.1, 0.2]), confidence=80)
