"""A/B tests against scipy, statsmodels, brute force, and seeded coverage."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from statsmodels.regression.linear_model import OLS

from evaluation.engine.ab_tests.always_valid import sequence_factor
from evaluation.engine.ab_tests.analysis import Analysis, Units, analyse
from evaluation.engine.ab_tests.effects import Interval, UnitMeasure, effect, pooled_theta
from evaluation.engine.ab_tests.guardrails import Margin
from evaluation.engine.ab_tests.moments import Accumulator, merged, moments_of
from evaluation.engine.ab_tests.question import Question
from evaluation.engine.ab_tests.sample_ratio import sample_ratio
from evaluation.engine.ab_tests.words import words_of
from evaluation.engine.arrays import Floats
from evaluation.formats.experiment import analysis_as_text

COLUMNS = ("spent", "clicks", "views", "before")


def units(n: int, seed: int, lift: float = 0.0) -> Floats:
    """(n, 4): spent, clicks, views, before; spent follows before."""
    rng = np.random.default_rng(seed)
    before = rng.gamma(2, 3, n)
    views = rng.poisson(5, n) + 1
    return np.column_stack([before + rng.normal(2 + lift, 1, n), rng.binomial(views, 0.2), views, before])


def analysed(groups: dict[str, Floats], **asked: Any) -> Analysis:
    question = Question(control="A", **asked)
    place = [COLUMNS.index(name) for name in question.columns]
    return analyse(Units({name: moments_of(value[:, place]) for name, value in groups.items()}), question)


@pytest.mark.parametrize("seed", range(6))
def test_welch_is_that_of_scipy(seed: int) -> None:
    a, b = units(20 + 37 * seed, seed), units(500 - 80 * seed, seed + 100, lift=0.3)
    (one,) = analysed({"A": a, "B": b}, measures=("spent",)).comparisons
    expected = stats.ttest_ind(b[:, 0], a[:, 0], equal_var=False)
    bounds = expected.confidence_interval(0.95)
    np.testing.assert_allclose(
        [one.effect.p, one.effect.df, one.effect.interval.low, one.effect.interval.high],
        [expected.pvalue, expected.df, bounds.low, bounds.high],
    )
    assert one.effect.difference == pytest.approx(b[:, 0].mean() - a[:, 0].mean())
    assert one.effect.variance_saved is None


def test_no_p_is_shown_as_0() -> None:
    far = analysed({"A": units(3_000, 1), "B": units(3_000, 2, lift=30.0)}, measures=("spent",))
    assert far.comparisons[0].effect.p == 0  # where numbers end
    assert "adjusted p < 1e-300 (holm)" in words_of(far)[1]
    assert "< 1e-300" in analysis_as_text(far)


def test_blocks_give_what_the_whole_gives() -> None:
    whole = units(1_000, 3) + 1e6
    accumulator = Accumulator()
    for part in (whole[:1], whole[1:700], whole[:0], whole[700:]):
        accumulator.add("A", part)
    moments = accumulator.by_variant["A"]
    np.testing.assert_allclose(moments.covariance, np.cov(whole, rowvar=False), rtol=1e-9)
    np.testing.assert_allclose(moments.mean, whole.mean(axis=0), rtol=1e-12)
    assert merged([moments]) is moments


def test_events_are_the_rarer_of_a_rate() -> None:
    rates = moments_of(np.array([[1.0, 0.0, 2.5], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]]))
    assert [rates.events(i) for i in range(3)] == [1, 1, 2]


def test_sample_ratio_is_that_of_scipy() -> None:
    n = {"A": 5_000, "B": 5_300, "C": 2_400}
    ratio = sample_ratio(n, {"A": 2, "B": 2, "C": 1})
    expected = stats.chisquare(list(n.values()), list(ratio.expected.values()))
    assert (ratio.statistic, ratio.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert ratio.mismatch == (ratio.p < 0.001)
    with pytest.raises(ValueError, match="the variant C has no share"):
        sample_ratio(n, {"A": 1, "B": 1})
    with pytest.raises(ValueError, match="the variant D has a share, but no unit"):
        sample_ratio(n, {"A": 1, "B": 1, "C": 1, "D": 1})
    with pytest.raises(ValueError, match="at least two variants; there is A"):
        sample_ratio({"A": 3})


def test_few_expected_units_are_tested_exactly() -> None:
    """Of 50 units at 99 to 1 the chi-square test finds p below .001 in 1.4 % of logs without a mismatch."""
    ratio = sample_ratio({"A": 47, "B": 3}, {"A": 99, "B": 1})
    tail = stats.binom(50, 0.01).sf(2)
    assert ratio.test == "binomial"
    assert ratio.p == pytest.approx(2 * tail)
    assert not ratio.mismatch
    assert stats.chisquare([47, 3], [49.5, 0.5]).pvalue < 0.001
    three = sample_ratio({"A": 30, "B": 5, "C": 25})
    assert three.p == pytest.approx(6 * stats.binom(60, 1 / 3).cdf(5))
    assert sample_ratio({"A": 20, "B": 20}).p == 1
    assert sample_ratio({"A": 49, "B": 51}).test == "chi-square"
    rng, false = np.random.default_rng(1), 0
    for few in rng.binomial(50, 0.01, 3000).tolist():
        false += sample_ratio({"A": 50 - few, "B": few}, {"A": 99, "B": 1}).mismatch if few else 0
    assert false <= 9  # of 3,000 at .1 %: more by chance once in 900


def test_a_covariate_is_the_slope_within_groups() -> None:
    """CUPED's θ and difference are those of the regression on group and covariate (statsmodels, OLS)."""
    a, b = units(400, 7), units(600, 8, lift=0.4)
    both, treated = np.vstack([a, b]), np.repeat([0.0, 1.0], [400, 600])
    fit = OLS(both[:, 0], np.column_stack([np.ones(1_000), treated, both[:, 3]])).fit()
    (one,) = analysed({"A": a, "B": b}, measures=("spent",), covariate="before").comparisons
    assert (one.effect.difference, one.effect.theta) == pytest.approx((fit.params[1], fit.params[2]))
    assert one.effect.error == pytest.approx(fit.bse[1], rel=0.03)
    rests = [x[:, 0] - (one.effect.theta or 0) * x[:, 3] for x in (a, b)]
    raw = sum(x[:, 0].var(ddof=1) / len(x) for x in (a, b))
    kept = sum(rest.var(ddof=1) / rest.size for rest in rests)
    assert one.effect.variance_saved == pytest.approx(1 - kept / raw)
    assert one.effect.p == pytest.approx(stats.ttest_ind(*rests, equal_var=False).pvalue)


def test_a_ratio_is_that_of_linearised_units() -> None:
    a, b = units(3_000, 11), units(2_000, 12)
    (one,) = analysed({"A": a, "B": b}, ratios=(("clicks", "views"),)).comparisons
    ratios = [x[:, 1].sum() / x[:, 2].sum() for x in (a, b)]
    lines = [(x[:, 1] - r * x[:, 2]) / x[:, 2].mean() for x, r in zip((a, b), ratios, strict=True)]
    assert one.measure == "clicks/views"
    assert [one.effect.control, one.effect.treatment] == pytest.approx(ratios)
    assert one.effect.error == pytest.approx(math.sqrt(sum(z.var(ddof=1) / z.size for z in lines)))


def test_errors_are_those_of_the_bootstrap() -> None:
    """Of the relative difference with a covariate, and of a ratio with one: 400 resamples of units, seed 5."""
    a, b = units(1_500, 21), units(1_500, 22, lift=0.5)
    rng = np.random.default_rng(5)
    asked: dict[str, Any] = {"measures": ("spent",), "ratios": (("clicks", "views"),), "covariate": "before"}
    drawn = []
    for _ in range(400):
        again = {name: x[rng.integers(0, len(x), len(x))] for name, x in (("A", a), ("B", b))}
        drawn.append([(one.effect.relative, one.effect.difference) for one in analysed(again, **asked).comparisons])
    deviation = np.array(drawn, np.float64).std(axis=0, ddof=1)
    spent, clicks = (one.effect for one in analysed({"A": a, "B": b}, **asked).comparisons)
    assert spent.relative_interval is not None
    reach = (spent.relative_interval.high - spent.relative_interval.low) / 2
    assert reach / 1.961 == pytest.approx(deviation[0, 0], rel=0.12)
    assert (spent.error, clicks.error) == pytest.approx((deviation[0, 1], deviation[1, 1]), rel=0.12)


def test_corrections_count_measures_and_treatments() -> None:
    groups = {"A": units(300, 1), "B": units(300, 2, lift=0.1), "C": units(300, 3, lift=0.4)}
    comparisons = analysed(groups, measures=("spent", "views"), correction="bonferroni").comparisons
    assert [(one.measure, one.variant) for one in comparisons] == [
        ("spent", "B"), ("spent", "C"), ("views", "B"), ("views", "C"),
    ]  # fmt: skip
    assert [one.p_adjusted for one in comparisons] == pytest.approx([min(1, 4 * one.effect.p) for one in comparisons])


@pytest.mark.parametrize("n", [50, 5_000, 400_000])
def test_the_sequence_ends_where_its_martingale_reaches_1_by_alpha(n: int) -> None:
    """Of a sum s of n standard normal numbers: exp(λs − nλ²/2), averaged over λ of N(0, ρ²) numerically."""
    alpha, log = 0.05, -2 * math.log(0.05)
    variance = (log + math.log(1 + log)) / 10_000
    total = sequence_factor(n, alpha=alpha) * math.sqrt(n)
    middle, width = total / (n + 1 / variance), 1 / math.sqrt(n + 1 / variance)

    def density(x: float) -> float:
        return math.exp(x * total - n * x**2 / 2 - x**2 / (2 * variance)) / math.sqrt(2 * math.pi * variance)

    mean, _ = quad(density, middle - 12 * width, middle + 12 * width, points=[middle])
    assert mean == pytest.approx(1 / alpha, rel=1e-6)


def test_the_sequence_is_nearly_narrowest_where_it_was_asked() -> None:
    factor = sequence_factor(5_000, narrowest_at=5_000)
    best = min(sequence_factor(5_000, narrowest_at=round(5_000 * x)) for x in np.geomspace(0.1, 10, 200))
    assert best <= factor <= 1.001 * best
    assert factor > stats.norm.ppf(0.975)
    with pytest.raises(ValueError, match="at least 1 unit"):
        sequence_factor(0)


def missed(rate: float, start: int, rng: np.random.Generator) -> float:
    """The share of 1,000 sequences of a rate that ever leave it out, at 60 looks from `start` to 50,000 units."""
    looks = np.unique(np.geomspace(start, 50_000, 60).astype(int))
    rates = rng.binomial(np.diff(looks, prepend=0), rate, (1_000, looks.size)).cumsum(axis=1) / looks
    factor = np.array([sequence_factor(int(n)) for n in looks])
    reach = np.sqrt(rates * (1 - rates) / (looks - 1)) * factor
    return float((np.abs(rates - rate) > reach).any(axis=1).mean())


def test_coverage_needs_events() -> None:
    """At a nominal 5 %, seed 2: a rate of .01 that is watched from 100 units on, where often no event has come."""
    rng = np.random.default_rng(2)
    assert 0.36 < missed(0.01, 100, rng) < 0.43
    assert missed(0.01, 10_000, rng) < 0.05
    assert missed(0.3, 1_000, rng) < 0.05


def test_always_valid_intervals_wait_for_their_start() -> None:
    groups = {"A": units(1_000, 1), "B": units(1_000, 2)}
    (one,) = analysed(groups, measures=("spent",)).comparisons
    reach = one.effect.error * sequence_factor(2_000)
    assert one.always_valid == Interval(one.effect.difference - reach, one.effect.difference + reach)
    for early in ({"start": 1_001}, {"events": 1_001}):
        assert analysed(groups, measures=("spent",), **early).comparisons[0].always_valid is None


@pytest.mark.parametrize(
    ("margin", "lift", "verdict"),
    [
        (Margin("spent", -0.5), 0.0, "holds"), (Margin("spent", -0.5), -1.0, "broken"),
        (Margin("spent", -0.5), -0.5, "undecided"), (Margin("spent", 0.5), 0.0, "holds"),
        (Margin("spent", 0.5), 1.0, "broken"), (Margin("spent", -0.1, relative=True), 0.0, "holds"),
    ],
)  # fmt: skip
def test_guardrails(margin: Margin, lift: float, verdict: str) -> None:
    groups = {"A": units(4_000, 31), "B": units(4_000, 32, lift)}
    analysis = analysed(groups, guardrails=(margin,), covariate="before")
    assert analysis.guardrails[0].verdict == verdict
    assert f"Guardrail spent, B: {verdict}" in words_of(analysis)[-1]


def test_words_say_no_more_than_the_numbers() -> None:
    same, more = units(2_000, 41), units(2_000, 42, lift=1.5)
    lines = words_of(analysed({"A": same, "B": more}, measures=("spent", "views")))
    assert lines[0].startswith("No mismatch of the sample ratio was found: A 2,000 (expected 2,000.0)")
    assert lines[1].startswith("spent: B is above A by +1.")
    assert "which does not say that there is none" in lines[2]
    (only,) = words_of(analysed({"A": same, "B": more[:1_500]}, measures=("spent",)))
    assert only.endswith("assignment or logging went wrong. Find out where before any difference is read.")
    more[:, 3] += 2
    odd = words_of(analysed({"A": same, "B": more}, measures=("spent",), covariate="before"))
    assert odd[1].startswith("The covariate before differs between A and B")


def test_a_control_near_zero_has_no_relative_difference() -> None:
    a, b = units(50, 1), units(50, 2)
    (one,) = analysed({"A": a - a.mean(axis=0), "B": b}, measures=("spent",)).comparisons
    assert (one.effect.relative, one.effect.relative_interval) == (None, None)


def test_what_is_refused() -> None:
    a, b = units(50, 1), units(50, 2)
    flat = np.full((50, 4), 0.1)
    with pytest.raises(ValueError, match="no unit has the variant A; there are B"):
        analysed({"B": b}, measures=("spent",))
    with pytest.raises(ValueError, match="at least 2 units"):
        analysed({"A": a[:1], "B": b}, measures=("spent",))
    with pytest.raises(ValueError, match="spent does not vary"):
        analysed({"A": flat, "B": flat}, measures=("spent",))
    with pytest.raises(ValueError, match="the covariate does not vary"):
        pooled_theta(UnitMeasure("spent", 0), 3, [moments_of(flat), moments_of(flat)])
    with pytest.raises(ValueError, match="the mean of the denominator is 0"):
        analysed({"A": a * 0, "B": b}, ratios=(("clicks", "views"),))
    with pytest.raises(ValueError, match="too large"):
        analysed({"A": a * 1e200, "B": b}, measures=("spent",))
    copied = [moments_of(np.column_stack([x[:, 0], 2 * x[:, 0]])) for x in (a, b)]
    with pytest.raises(ValueError, match="the covariate says all of spent"):
        effect(UnitMeasure("spent", 0), *copied, covariate=1, theta=0.5)


@pytest.mark.parametrize("level", [0.0, 1e6, 1e12, -1e12])
def test_a_level_changes_no_difference(level: float) -> None:
    """Values near 10¹² with a deviation of 1 have the difference, error and covariate's slope that they have near 0."""
    whole = {name: np.round(units(2_000, seed, lift), 3) for name, seed, lift in (("A", 1, 0.0), ("B", 2, 0.2))}
    (near,) = analysed(whole, measures=("spent",), covariate="before").comparisons
    far_groups = {name: value + level for name, value in whole.items()}
    (far,) = analysed(far_groups, measures=("spent",), covariate="before").comparisons
    assert far.effect.difference == pytest.approx(near.effect.difference, abs=1e-3)
    assert (far.effect.error, far.effect.theta) == pytest.approx((near.effect.error, near.effect.theta), rel=1e-3)


@pytest.mark.parametrize("value", [0.1, 1e12 + 0.3, -7e-300, 0.0])
def test_equal_values_do_not_vary_in_however_many_blocks(value: float) -> None:
    accumulator = Accumulator()
    for n in (1, 1_000, 333, 70_001):
        accumulator.add("A", np.full((n, 1), value))
    moments = accumulator.by_variant["A"]
    assert (moments.mean[0], moments.scatter[0, 0]) == (value, 0)
    with pytest.raises(ValueError, match="spent does not vary"):
        effect(UnitMeasure("spent", 0), moments, moments)


@pytest.mark.parametrize("factor", [1 / 3, 3.0, 0.7, 1e9])
def test_a_ratio_that_is_the_same_for_all_does_not_vary(factor: float) -> None:
    below = [1 + np.random.default_rng(seed).gamma(2, 3, 5_000) for seed in (1, 2)]
    groups = [moments_of(np.column_stack([factor * one, one])) for one in below]
    with pytest.raises(ValueError, match="x/y does not vary"):
        effect(UnitMeasure("x/y", 0, 1), *groups)
    with pytest.raises(ValueError, match="the covariate says all of x"):
        effect(UnitMeasure("x", 0), *groups, covariate=1, theta=factor)


def test_errors_that_numbers_of_their_size_do_not_show_are_refused() -> None:
    groups = {name: 1e17 + 64 * units(50, seed) for name, seed in (("A", 1), ("B", 2))}
    with pytest.raises(ValueError, match="take a constant off"):
        analysed(groups, measures=("spent",))


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({}, "at least one measure"),
        ({"measures": ("spent",), "covariate": "spent"}, "spent is a measure"),
        ({"measures": ("spent",), "alpha": 1.0}, "alpha lies between"),
        ({"measures": ("spent",), "start": 1}, "at least 2 units"),
    ],
)
def test_questions_that_are_refused(asked: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Question(control="A", **asked)
    with pytest.raises(ValueError, match="the change that is too much"):
        Margin("spent", 0.0)
