"""Sizes of experiments: the issue's figures, statsmodels over random grids, simulation."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import ArrayLike
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import NormalIndPower, TTestPower
from statsmodels.stats.proportion import samplesize_confint_proportion
from statsmodels.stats.weightstats import DescrStatsW

from evaluation.engine.planning.plan import Plan, Question, plan, power_at
from evaluation.engine.planning.two_groups import (
    design_effect,
    group_power,
    group_size,
    rate_deviation,
    smallest_group_difference,
)
from evaluation.engine.planning.widths import (
    large_half_width,
    large_interval_size,
    mean_half_width,
    mean_interval_size,
)
from evaluation.engine.planning.words import words_of
from evaluation.engine.significance.corrections import Correction, adjusted
from evaluation.engine.significance.intervals.bootstrap import percentile_tails

RATE = 0.15
CORRECTIONS: dict[Correction, str] = {  # as statsmodels calls them
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "bh": "fdr_bh",
    "by": "fdr_by",
}


def answer(**options: object) -> Plan:
    return plan(Question(**options))  # type: ignore[arg-type]


def test_sizes_and_smallest_differences_of_a_rate_of_15_percent() -> None:
    sizes = [answer(rate=RATE, relative=relative).n for relative in (0.01, 0.02, 0.05, 0.10)]
    assert sizes == [889_540, 222_385, 35_582, 8_896]
    shown = [answer(rate=RATE, n=n).relative for n in (1_000, 10_000, 100_000)]
    assert [round(100 * one, 1) for one in shown if one] == [29.8, 9.4, 3.0]


def test_corrections_of_seven_p() -> None:
    p = [0.001, 0.02, 0.03, 0.04, 0.06, 0.15, 0.25]
    assert [int((adjusted(p, name) <= 0.05).sum()) for name in ("bonferroni", "bh")] == [1, 1]
    agrees_with_statsmodels(p)


def test_corrections_of_random_p() -> None:
    rng = np.random.default_rng(14)
    for n in rng.integers(1, 60, 40):
        p = rng.beta(0.3, 2, n)
        agrees_with_statsmodels(rng.choice([p, p.round(2), np.clip(p, 0.001, 0.5)]))  # with ties, too


def agrees_with_statsmodels(p: ArrayLike) -> None:
    for ours, theirs in CORRECTIONS.items():
        assert adjusted(p, ours) == pytest.approx(multipletests(p, method=theirs)[1])


def test_the_percentile_bootstrap_of_a_tutorial() -> None:
    """`np.random.seed(42)`: beta(8, 2, 1000), then 1,000 × choice(data, 1000) of the same stream (numpy 2.4)."""
    stream = np.random.RandomState(42)
    data = stream.beta(8, 2, 1000)
    mean = np.array([stream.choice(data, 1000).mean() for _ in range(1000)])
    low, high = percentile_tails(mean[:, None], 0.95, interpolated=True)
    assert f"{data.mean():.4f} {low[0]:.4f} {high[0]:.4f} {mean.std():.4f}" == "0.7956 0.7880 0.8023 0.0036"


def test_groups_are_those_of_statsmodels() -> None:
    """Its power has the chance of a wrong sign, too: hardly any here. Its n is not rounded up."""
    rng = np.random.default_rng(11)
    for _ in range(60):
        deviation, effect = rng.uniform(0.1, 5), rng.uniform(0.01, 0.5)
        alpha, power, ratio = rng.uniform(0.001, 0.1), rng.uniform(0.6, 0.99), rng.uniform(0.3, 3)
        options = {"alpha": alpha, "ratio": ratio}
        theirs = NormalIndPower().solve_power(effect_size=effect, power=power, **options)
        n = group_size(effect * deviation, deviation, power=power, **options)
        assert theirs == pytest.approx(n, abs=1.001)
        n_both = NormalIndPower().power(effect, n, **options)
        assert group_power(n, effect * deviation, deviation, **options) == pytest.approx(n_both, abs=1e-3)
        difference = smallest_group_difference(n, deviation, power=power, **options)
        assert group_power(n, difference, deviation, **options) == pytest.approx(power, abs=1e-9)


def test_topics_are_those_of_statsmodels() -> None:
    rng = np.random.default_rng(12)
    for _ in range(12):
        effect, power = rng.uniform(0.1, 0.8), rng.uniform(0.6, 0.95)
        theirs = TTestPower().solve_power(effect_size=effect, power=power, alpha=0.05)
        study = answer(design="topics", difference=effect / 5, deviation=0.2, power=power)
        assert study.n == math.ceil(theirs)
        assert study.power == pytest.approx(TTestPower().power(effect, study.n, 0.05))


def test_widths_of_rates_are_those_of_statsmodels() -> None:
    for rate, half in itertools.product((0.02, 0.15, 0.5), (0.005, 0.02)):
        theirs = samplesize_confint_proportion(rate, half, alpha=0.05)
        assert large_interval_size(half, rate_deviation(rate)) == math.ceil(theirs)


def test_widths_of_means_are_those_of_statsmodels() -> None:
    rng = np.random.default_rng(16)
    for _ in range(40):
        value = rng.normal(3, rng.uniform(0.1, 5), int(rng.integers(2, 90)))
        alpha = float(rng.uniform(0.001, 0.4))
        low, high = DescrStatsW(value).tconfint_mean(alpha)
        assert mean_half_width(value.size, value.std(ddof=1), confidence=1 - alpha) == pytest.approx((high - low) / 2)
        low, high = DescrStatsW(value).zconfint_mean(alpha)
        assert large_half_width(value.size, value.std(ddof=1), confidence=1 - alpha) == pytest.approx((high - low) / 2)


def test_widths_of_means_are_the_fewest_that_do() -> None:
    for half, confidence in itertools.product((0.01, 0.05, 0.3, 2.0), (0.5, 0.95, 0.999)):
        n = mean_interval_size(half, 0.4, confidence=confidence)
        assert mean_half_width(n, 0.4, confidence=confidence) <= half
        assert n == 2 or mean_half_width(n - 1, 0.4, confidence=confidence) > half
    assert large_half_width(large_interval_size(0.01, 0.4, n_groups=2), 0.4, n_groups=2) <= 0.01


def test_groups_find_what_they_promise_in_simulation() -> None:
    """20,000 experiments of the size that 80 % asks for, also of groups of unequal size and deviation."""
    rng = np.random.default_rng(13)
    for second, ratio in ((1.0, 1.0), (2.0, 0.5)):
        n = group_size(0.2, 1.0, second_deviation=second, ratio=ratio)
        error = math.sqrt(1 / n + second**2 / (ratio * n))
        assert (np.abs(rng.normal(0.2, error, 20_000)) > 1.959964 * error).mean() == pytest.approx(0.8, abs=0.009)


def test_clusters_vary_as_much_as_the_design_effect_says() -> None:
    rng = np.random.default_rng(14)
    size, rho, clusters = 8, 0.15, 40
    effect = rng.normal(0, math.sqrt(rho), (20_000, clusters, 1))
    mean = (effect[..., 0] + rng.normal(0, math.sqrt((1 - rho) / size), (20_000, clusters))).mean(axis=1)
    assert mean.var() * size * clusters == pytest.approx(design_effect(size, rho), rel=0.03)
    assert design_effect(8, 0.15, variation=0.5) == 1 + (1.25 * 8 - 1) * 0.15
    study = answer(rate=RATE, relative=0.05, cluster_size=8, correlation=0.15)
    assert (study.n, study.n_clusters) == (math.ceil(35_582 * 2.05), math.ceil(math.ceil(35_582 * 2.05) / 8))
    assert study.power >= 0.8 > power_at(study, study.n - 100)


def test_what_a_plan_says() -> None:
    difference = "a true difference of 0.0075 (5 % of the baseline)"
    level = "at the level of 0.025 (0.05 shared by 2 tests, Bonferroni)"
    assert words_of(answer(rate=RATE, relative=0.05, n_tests=2)) == [
        f"Take 43,090 units in each group: {difference} is then found with a power of 80.0 %.",
        f"For a two-sided test {level} and a standard deviation of 0.3571.",
    ]
    assert words_of(answer(design="topics", n=50, difference=0.05, deviation=0.15))[0] == (
        "50 topics show a true difference of 0.05 with a power of 63.7 %."
    )
    assert words_of(answer(design="interval", rate=0.01, width=0.05, cluster_size=4, correlation=0.5)) == [
        "Take 40 units: the 95 % interval is then ± 0.04875 wide or less.",
        "For a standard deviation of 0.0995; where units vary more, the interval is wider.",
        "In clusters of 4: 10 clusters, design effect 2.5.",
        "Note: few clusters (10): the formula counts on at least 20 in each group.",
        "Note: few events (about 0): the normal approximation counts on at least 30.",
    ]
    assert words_of(answer(rate=0.3, n=500, ratio=0.5))[0].startswith(
        "500 units in the first group and 250 in the second show a true difference of"
    )
    assert power_at(answer(design="interval", deviation=0.3, n=50), 200) == mean_half_width(200, 0.3)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"rate": RATE}, "name the difference, or the size"),
        ({"rate": RATE, "n": 100, "difference": 0.1, "power": 0.8}, "leave out the one that is to be found"),
        ({"rate": RATE, "difference": 0.0}, "cannot be 0"),
        ({"rate": 1.0, "difference": 0.1}, "a rate lies between 0 and 1"),
        ({"difference": 0.1}, "either a rate or a standard deviation"),
        ({"deviation": 1.0, "relative": 0.1}, "needs a rate or a baseline"),
        ({"rate": RATE, "relative": 0.1, "difference": 0.1}, "name the difference once"),
        ({"rate": RATE, "difference": 0.1, "alpha": 0.0}, "alpha lies between 0 and 1"),
        ({"rate": RATE, "difference": 0.1, "n_tests": 0}, "at least one test"),
        ({"rate": RATE, "difference": 1e-9}, "more than 1,000,000,000,000 units"),
        ({"rate": RATE, "difference": 0.1, "cluster_size": 0.5}, "a cluster has at least 1 unit"),
        ({"rate": RATE, "difference": 0.1, "correlation": 2.0}, "the correlation within clusters"),
        ({"rate": RATE, "difference": math.nan}, "the difference is a finite number"),
        ({"rate": RATE, "width": 0.1}, "a width belongs to the design interval"),
        ({"design": "interval", "rate": RATE}, "either the size or the half-width"),
        ({"design": "interval", "rate": RATE, "width": 0.1, "power": 0.9}, "no difference and no power"),
        ({"design": "topics", "rate": RATE, "difference": 0.1}, "the standard deviation of their differences"),
        ({"design": "sums"}, "a design is one of"),
        ({"rate": RATE, "n": 1}, "at least 2 units"),
        ({"rate": RATE, "difference": 0.1, "power": 0.01}, "with no units at all"),
        ({"rate": RATE, "relative": -2.0}, "a rate of 0.15 cannot fall by 0.3"),
        ({"rate": 0.9, "difference": 0.2}, "a rate of 0.9 cannot rise by 0.2"),
        ({"rate": 1e-300, "relative": 0.1}, "more than 1,000,000,000,000 units"),
        ({"deviation": 1e200, "difference": 1.0}, "more than 1,000,000,000,000 units"),
        ({"design": "interval", "deviation": 1e200, "width": 1e-200}, "more than 1,000,000,000,000 units"),
    ],
)
def test_what_cannot_be_planned(options: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        answer(**options)


def test_a_plan_and_its_inverse_agree() -> None:
    for design in ("groups", "topics"):
        study = answer(design=design, deviation=0.2, difference=0.03, n_tests=3, power=0.9)
        again = plan(replace(study.question, n=study.n, difference=None))
        assert again.difference == pytest.approx(0.03, rel=0.01)
        assert again.difference <= 0.03


def test_a_rate_that_grows_varies_more() -> None:
    (note,) = answer(rate=0.01, relative=0.5).notes
    assert note.startswith("the second group's rate of 0.015 varies more than today's")
    assert note.endswith("7,747 units by the deviation of each")
    assert answer(rate=0.15, relative=0.05).notes == ()


def test_few_units_show_no_difference_that_a_rate_can_have() -> None:
    assert answer(rate=0.15, n=2).notes[0] == "no rate is 1 away from 0.15: so few units show nothing"
    assert answer(deviation=1e-200, difference=1e200).n == 2
