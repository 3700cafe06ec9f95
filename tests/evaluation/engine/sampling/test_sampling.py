"""Allocation, drawing and estimates: the issue's figures, brute force over all samples, textbook formulas."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.weightstats import DescrStatsW

from evaluation.engine.sampling.allocation import Rule, allocate
from evaluation.engine.sampling.draw import draw
from evaluation.engine.sampling.estimates import hajek_mean, hajek_ratio, horvitz_thompson
from evaluation.engine.sampling.strata import by_rank, by_traffic
from evaluation.engine.sampling.topics import estimate_measures
from evaluation.engine.scorer import MeasureValues

LOG = {"head": 1_000, "torso": 99_000, "tail": 9_900_000}


def shares(**options: object) -> list[int]:
    return [stratum.n for stratum in allocate(LOG, 10_000, minimum=100, **options).strata]  # type: ignore[arg-type]


def test_the_figures_of_a_query_log() -> None:
    """minimum + ⌊(total − H · minimum) · N_h / N⌋, and the same by largest remainder."""
    assert shares(rounding="floor") == [100, 196, 9_703]
    assert shares() == [101, 196, 9_703]
    tutorial = allocate(LOG, 10_000, minimum=100, rounding="floor")
    assert (tutorial.n, tutorial.notes) == (9_999, ("9,999 in all, which is less than the total of 10,000",))
    tripled = allocate(LOG, 10_000, minimum=100, rounding="floor", oversample={"tail": 3})
    assert [stratum.n for stratum in tripled.strata] == [100, 196, 29_109]
    assert (tripled.n, tripled.notes) == (29_405, ("29,405 in all, which is more than the total of 10,000",))


def test_rules() -> None:
    assert shares(rule="equal") == [1_000, 4_500, 4_500]  # the head has no more
    deviation = {"head": 1.0, "torso": 0.0, "tail": 0.0}
    assert shares(rule="neyman", deviation=deviation)[0] == 1_000  # all of it; the rest by size
    assert shares(rule="neyman", deviation=dict.fromkeys(LOG, 0.3)) == shares()
    assert [s.n for s in allocate({"a": 10, "b": 0, "c": 5}, 15, minimum=3).strata] == [10, 0, 5]


def test_neyman_has_the_least_variance_of_all_allocations() -> None:
    size, spread, total = np.array([30, 20, 10]), np.array([1.0, 3.0, 8.0]), 12
    every = [n for n in itertools.product(range(1, 11), repeat=3) if sum(n) == total]
    variance = [(size**2 * (1 - n / size) * spread**2 / n).sum() for n in map(np.array, every)]
    names = dict(zip("abc", size.tolist(), strict=True))
    chosen = allocate(names, total, rule="neyman", deviation=dict(zip("abc", spread.tolist(), strict=True)))
    assert tuple(stratum.n for stratum in chosen.strata) == every[int(np.argmin(variance))]


@pytest.mark.parametrize("rule", ["proportional", "equal", "neyman"])
def test_any_allocation_keeps_its_bounds(rule: Rule) -> None:
    """The sum is the total, no stratum gets more than it has or less than its minimum."""
    rng = np.random.default_rng(5)
    for _ in range(300):
        size = {str(h): int(rng.integers(0, 60)) for h in range(rng.integers(1, 7))}
        if sum(size.values()) == 0:
            continue
        total, minimum = int(rng.integers(1, sum(size.values()) + 1)), int(rng.integers(0, 6))
        deviation = {name: float(rng.integers(0, 3)) for name in size}
        if sum(min(n, minimum) for n in size.values()) > total or not any(deviation[n] * size[n] for n in size):
            continue
        allocation = allocate(size, total, rule=rule, minimum=minimum, deviation=deviation)
        assert allocation.n == total
        assert all(min(s.size, minimum) <= s.n <= s.size for s in allocation.strata)
        fewer = allocate(size, total, rule=rule, minimum=minimum, deviation=deviation, rounding="floor")
        assert total - len(size) < fewer.n <= total


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"total": 200, "minimum": 100}, "a minimum of 100 in each stratum takes 300, more than the total 200"),
        ({"total": 0}, "the total lies between 1 and the 10,000,000 units"),
        ({"total": 10, "rule": "neyman"}, "needs the standard deviation of each stratum: head, torso, tail without"),
        ({"total": 10, "oversample": {"rare": 2}}, "no stratum 'rare'; there are head, torso, tail"),
        ({"total": 10, "oversample": {"tail": 0}}, "positive, finite factor"),
        ({"total": 10, "rule": "best"}, "a rule is one of"),
    ],
)
def test_what_cannot_be_allocated(options: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        allocate(LOG, **options)  # type: ignore[arg-type]


def test_notes_on_strata_of_one_and_none() -> None:
    notes = allocate({"a": 1000, "b": 100, "c": 1}, 10).notes
    assert notes == (
        "b gets one: its variance cannot be estimated, take at least two",
        "c gets none: estimates say nothing about its 1 units",
    )


def test_factors_and_deviations_as_large_as_numbers_are() -> None:
    size = {"a": 10, "b": 10}
    assert [one.n for one in allocate(size, 5, oversample={"a": 1e300}).strata] == [10, 2]
    assert [one.n for one in allocate(size, 6, rule="neyman", deviation={"a": 1e308, "b": 5e307}).strata] == [4, 2]


def test_strata_by_rank_and_by_traffic() -> None:
    count = np.array([1, 50, 3, 20, 3, 23])
    assert by_rank(count, head=1, torso=2).tolist() == [2, 0, 2, 1, 2, 1]
    assert by_traffic(count, head=0.5, torso=0.43).tolist() == [2, 0, 2, 1, 2, 1]
    assert by_traffic(count, head=0.49, torso=0.43).tolist() == [2, 1, 2, 2, 2, 1]
    with pytest.raises(ValueError, match="do not fit into 6"):
        by_rank(count, head=5, torso=2)
    with pytest.raises(ValueError, match="shares of all traffic"):
        by_traffic(count, head=0.7, torso=0.4)
    with pytest.raises(ValueError, match="every count is 0"):
        by_traffic(np.zeros(3, np.int64))


def test_a_drawn_sample_is_rebuilt_and_strata_do_not_disturb_each_other() -> None:
    stratum = np.random.default_rng(1).integers(0, 3, 500)
    one, two, other = (draw(stratum, n, seed=s) for n, s in (((5, 9, 2), 7), ((5, 20, 2), 7), ((5, 9, 2), 8)))
    assert np.bincount(one.stratum).tolist() == [5, 9, 2]
    assert (stratum[one.unit] == one.stratum).all()
    assert (np.diff(one.unit) > 0).all()
    assert set(one.unit[one.stratum == 0]) == set(two.unit[two.stratum == 0])
    assert set(one.unit) != set(other.unit)
    assert one.unit.tolist() == draw(stratum, (5, 9, 2), seed=7).unit.tolist()
    assert one.probability[0] == (5, 9, 2)[one.stratum[0]] / (stratum == one.stratum[0]).sum()
    with pytest.raises(ValueError, match="600 units of stratum 0"):
        draw(stratum, (600, 0, 0), seed=1)


def test_every_unit_is_as_likely_as_its_probability() -> None:
    stratum = np.repeat([0, 1], [4, 6])
    times = np.bincount(np.concatenate([draw(stratum, (1, 3), seed=s).unit for s in range(6000)]), minlength=10)
    assert scipy.stats.chisquare(times[:4]).pvalue > 1e-3
    assert scipy.stats.chisquare(times[4:]).pvalue > 1e-3


def every_sample(n: tuple[int, int], size: tuple[int, int]) -> list[tuple[int, ...]]:
    first, second = range(size[0]), range(size[0], sum(size))
    return [a + b for a in itertools.combinations(first, n[0]) for b in itertools.combinations(second, n[1])]


def test_totals_and_their_variance_are_unbiased_over_all_samples() -> None:
    y = np.random.default_rng(2).gamma(2, size=11)
    samples = every_sample((2, 3), (5, 6))
    pi, h = np.array([2 / 5] * 2 + [1 / 2] * 3), [0, 0, 1, 1, 1]
    estimates = [horvitz_thompson(y[list(s)], pi, stratum=h) for s in samples]
    totals = np.array([one.value for one in estimates])
    assert totals.mean() == pytest.approx(y.sum())
    assert np.mean([one.error**2 for one in estimates]) == pytest.approx(totals.var())


def test_means_and_ratios_over_all_samples() -> None:
    """Nearly unbiased; the linearised variance is close on average."""
    rng = np.random.default_rng(4)
    x, y = rng.integers(1, 9, 16).astype(float), rng.random(16)
    samples = every_sample((4, 4), (7, 9))
    pi, h = np.repeat([4 / 7, 4 / 9], 4), np.repeat([0, 1], 4)
    means = [hajek_mean(y[list(s)], pi, stratum=h) for s in samples]
    value = np.array([one.value for one in means])
    assert value.mean() == pytest.approx(y.mean())  # strata weights are known: no bias at all
    assert np.mean([one.error**2 for one in means]) == pytest.approx(value.var())
    ratios = [hajek_ratio((x * y)[list(s)], x[list(s)], pi, stratum=h) for s in samples]
    value = np.array([one.value for one in ratios])
    assert value.mean() == pytest.approx((x * y).sum() / x.sum(), rel=0.01)
    assert np.mean([one.error**2 for one in ratios]) == pytest.approx(value.var(), rel=0.15)


def test_simple_random_sampling_is_the_textbook_interval() -> None:
    y = np.random.default_rng(6).normal(3, 1, 40)
    estimate = hajek_mean(y, np.full(40, 0.1), confidence=0.9)
    error = math.sqrt(0.9 * y.var(ddof=1) / 40)
    assert [estimate.value, estimate.error, estimate.df] == pytest.approx([y.mean(), error, 39])
    assert (estimate.low, estimate.high) == pytest.approx(scipy.stats.t.interval(0.9, 39, y.mean(), error))
    assert hajek_ratio(y, np.ones(40), np.full(40, 0.1)).error == pytest.approx(error)


def test_stratified_sampling_is_the_textbook_interval() -> None:
    """Cochran, Sampling Techniques, 1977, section 5.4: Student's with the effective degrees of freedom, 5.16."""
    parts = {"head": ([3.0, 5.0, 4.0], 6), "tail": ([1.0, 0.0, 2.5, 1.5], 40)}
    value = [one for sampled, _ in parts.values() for one in sampled]
    probability = [len(sampled) / size for sampled, size in parts.values() for _ in sampled]
    stratum = [name for name, (sampled, _) in parts.items() for _ in sampled]
    estimate = horvitz_thompson(value, probability, stratum=stratum)
    variances = [
        size**2 * (1 - len(sampled) / size) * np.var(sampled, ddof=1) / len(sampled) for sampled, size in parts.values()
    ]
    df = sum(variances) ** 2 / (variances[0] ** 2 / 2 + variances[1] ** 2 / 3)
    reach = scipy.stats.t(df).ppf(0.975) * math.sqrt(sum(variances))
    assert estimate.df == pytest.approx(df)
    assert estimate.value == pytest.approx(6 * 4.0 + 40 * 1.25)
    assert (estimate.low, estimate.high) == pytest.approx((estimate.value - reach, estimate.value + reach))


def test_estimates_are_those_of_statsmodels_and_scipy() -> None:
    """Random designs of strata: statsmodels' weighted sums and means; of means a random sum of scipy's t intervals."""
    rng = np.random.default_rng(15)
    for _ in range(60):
        size = rng.integers(3, 200, int(rng.integers(1, 6)))
        n = np.array([int(rng.integers(2, most + 1)) for most in size])
        h, pi = np.repeat(np.arange(size.size), n), np.repeat(n / size, n)
        y, x = rng.gamma(2, 1 + h), rng.integers(1, 9, h.size).astype(float)
        theirs, of_x = DescrStatsW(y, 1 / pi), DescrStatsW(x, 1 / pi)
        total, mean = horvitz_thompson(y, pi, stratum=h), hajek_mean(y, pi, stratum=h)
        assert (total.value, mean.value) == pytest.approx((theirs.sum, theirs.mean))
        assert hajek_ratio(y, x, pi, stratum=h).value == pytest.approx(theirs.mean / of_x.mean)
        parts = [(N, y[h == at]) for at, N in enumerate(size)]
        error = math.sqrt(sum((N * scipy.stats.sem(part)) ** 2 * (1 - part.size / N) for N, part in parts))
        assert total.error == pytest.approx(error)
        assert mean.error == pytest.approx(error / size.sum())  # strata weights are known
        if error:
            variance = np.array([(N * scipy.stats.sem(part)) ** 2 * (1 - part.size / N) for N, part in parts])
            df = variance.sum() ** 2 / (variance**2 / (n - 1)).sum()
            ends = scipy.stats.t.interval(0.95, df, total.value, error)
            assert (total.low, total.high) == pytest.approx(ends)


def test_a_stratum_taken_whole_tells_nothing_about_the_others() -> None:
    """Means over 100 units taken whole and 4 of 1,000: with Student's t of 102 degrees of freedom 14 % miss."""
    rng, missed = np.random.default_rng(1), 0
    head, tail = rng.normal(size=100), rng.normal(size=1000)
    pi, h = np.repeat([1.0, 0.004], [100, 4]), np.repeat([0, 1], [100, 4])
    for _ in range(600):
        estimate = hajek_mean(np.append(head, rng.choice(tail, 4, replace=False)), pi, stratum=h)
        assert estimate.df == pytest.approx(3)
        missed += not estimate.low <= (head.sum() + tail.sum()) / 1100 <= estimate.high
    assert missed <= 48  # of 600 at 5 %: more by chance once in 2,000


def test_equal_values_do_not_tell_how_others_vary() -> None:
    """Thirty queries without a hit do not say that none of ten thousand has one."""
    for estimate in (hajek_mean(np.zeros(30), np.full(30, 0.003)), hajek_ratio([0.3, 0.6], [1.0, 2.0], [0.5, 0.5])):
        assert (estimate.low, estimate.high, estimate.df) == (-math.inf, math.inf, estimate.n - 1)
        assert estimate.note.startswith("the values of each stratum are equal")
    assert hajek_mean([1.0, 1.0], [1.0, 1.0]).high == 1


def test_equal_values_of_a_stratum_are_equal_at_any_level() -> None:
    """Means of 1 in one stratum and −1 in the other cancel: nothing is left to set an error beside."""
    y, h = np.repeat([1.0, -1.0, 0.1, 1e12 + 0.3], 7), np.repeat([0, 1, 2, 3], 7)
    for some in (y < 2, y <= 1e13):
        estimate = hajek_mean(y[some], np.full(int(some.sum()), 0.3), stratum=h[some])
        assert estimate.note.startswith("the values of each stratum are equal")


@pytest.mark.parametrize("level", [1e6, 1e12])
def test_a_level_changes_no_error(level: float) -> None:
    y, pi, h = np.random.default_rng(3).normal(size=60), np.repeat([0.1, 0.5], 30), np.repeat([0, 1], 30)
    near, far = hajek_mean(y, pi, stratum=h), hajek_mean(y + level, pi, stratum=h)
    assert (far.value - level, far.error, far.df) == pytest.approx((near.value, near.error, near.df), rel=0.01)


def test_certainty_and_single_units() -> None:
    whole = horvitz_thompson([1.0, 2.0], [1.0, 1.0])
    assert (whole.value, whole.error, whole.low, whole.high) == (3.0, 0.0, 3.0, 3.0)
    alone = hajek_mean([1.0, 2.0, 4.0], [0.5, 0.5, 0.1], stratum=["a", "a", "b"])
    assert (alone.low, alone.high) == (-math.inf, math.inf)
    assert alone.note == "1 stratum has one sampled unit of several: its variance cannot be estimated"


@pytest.mark.parametrize("probability", [[0.0, 0.5], [1.5, 0.5], [0.5]])
def test_probabilities_that_are_none(probability: list[float]) -> None:
    with pytest.raises(ValueError, match="probabilit"):
        hajek_mean([1.0, 2.0], probability)


@pytest.mark.parametrize(
    ("measure", "limits"), [("nDCG@10", (0, 1)), ("DCG@10", (0, math.inf)), ("tokens", (-math.inf, math.inf))]
)
def test_no_interval_of_a_mean_goes_beyond_what_its_measure_can_be(measure: str, limits: tuple[float, float]) -> None:
    value = np.array([1.0, 1.0, 0.9, 0.2])
    probability, count = np.full(4, 0.01), np.array([4, 3, 2, 1])
    evaluated = MeasureValues(
        tag="run", measures=(measure,), averaging="complete", numbers=tuple("1234"), value=value[:, None],
        mean=value[:1], missing=(), without_relevant=(), unknown=(), n_judged_rows=4, n_tied_judged_rows=0, top_grade=1,
    )  # fmt: skip
    (one,) = estimate_measures(
        evaluated, number=list("1234"), stratum=["all"] * 4, probability=probability, count=count
    )
    for estimate, free in (
        (one.queries, hajek_mean(value, probability)),
        (one.traffic, hajek_ratio(value * count, count, probability)),
    ):
        least, greatest = limits
        assert free.high > 1
        assert (estimate.value, estimate.error) == pytest.approx((free.value, free.error))
        assert (estimate.low, estimate.high) == pytest.approx((max(least, free.low), min(greatest, free.high)))
