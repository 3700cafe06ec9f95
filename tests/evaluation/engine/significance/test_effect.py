import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtr

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.effect import cohen_d, cohen_dz, effect_sizes, hedges_g
from evaluation.engine.significance.noncentral import noncentral_t, noncentrality_interval
from tests.annotation.quality.worked import worked_example


def as_array(values: list[float]) -> Floats:
    return np.array(values, np.float64)


@pytest.mark.shared
def test_cohen_d_and_hedges_g_of_pingouin(shared_data: Path) -> None:
    """Worked example cohen_d_hedges_g: pingouin's compute_effsize."""
    example = worked_example(shared_data, "cohen_d_hedges_g")
    first, second = as_array(example["input"]["a"]), as_array(example["input"]["b"])
    assert cohen_d(first, second).value == pytest.approx(example["expected"]["cohen_d"], abs=example["tolerance"])
    assert hedges_g(first, second).value == pytest.approx(example["expected"]["hedges_g"], abs=example["tolerance"])


@pytest.mark.shared
def test_dz_of_darwins_maize(shared_data: Path) -> None:
    """Worked example paired_t_darwin_maize: Fisher, The Design of Experiments, 1935."""
    example = worked_example(shared_data, "paired_t_darwin_maize")
    effect = cohen_dz(as_array(example["input"]["differences"]))
    assert effect.value == pytest.approx(example["expected"]["cohen_dz"], abs=1e-8)
    assert 0 < effect.low < 0.01  # p is just below .05, so that the interval just leaves out 0


def integrated(t: float, df: float, delta: float) -> float:
    """P(T ≤ t) = ∫ Φ(t s − δ) f(s) ds, f the density of √(χ²/df), by Gauss and Legendre: another way than scipy's."""
    x, weight = np.polynomial.legendre.leggauss(200)
    middle, spread = math.sqrt((df - 1) / df), 1 / math.sqrt(2 * df)
    low, high = max(0.0, middle - 12 * spread), middle + 12 * spread
    jump = delta / t if t else 0.0
    cuts = [low, high, *np.linspace(low, high, 5), *(jump + k / max(abs(t), 1) for k in (-8, 0, 8))]
    ends = sorted({cut for cut in cuts if low <= cut <= high})
    total = 0.0
    for a, b in itertools.pairwise(ends):
        s = (a + b) / 2 + (b - a) / 2 * x
        density = np.exp(
            math.log(2) + df / 2 * math.log(df / 2) - math.lgamma(df / 2) + (df - 1) * np.log(s) - df * s**2 / 2
        )
        total += (b - a) / 2 * float(weight @ (density * ndtr(t * s - delta)))
    return total


@pytest.mark.parametrize("df", [4, 24, 49, 9999])
@pytest.mark.parametrize("delta", [-100.0, -10.0, -0.5, 0.0, 3.0, 38.0, 1000.0])
def test_the_distribution_against_an_integral(df: int, delta: float) -> None:
    for t in (-300.0, -30.0, -1.96, 0.0, 1.96, 30.0, 36.0, 300.0, 1000.0):
        assert noncentral_t(t, df, delta) == pytest.approx(integrated(t, df, delta), abs=1e-9)


@pytest.mark.parametrize("df", [1, 5, 49, 9999])
def test_a_huge_t_joins_on_without_a_step(df: int) -> None:
    for sign in (-1, 1):
        for share in (-0.5, 0.5, 0.99, 1.0, 1.5):
            below, above = sign * 9_999.0, sign * 10_001.0
            assert noncentral_t(above, df, share * above) == pytest.approx(
                noncentral_t(below, df, share * below), abs=1e-6 + df / 1e8
            )


@pytest.mark.parametrize("t", [-1e6, -300.0, -2.148, 0.0, 1e-9, 3.0, 60.0, 12_345.0])
@pytest.mark.parametrize("df", [1, 14, 9999])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.99])
def test_at_the_ends_of_the_interval_t_is_at_the_tails(t: float, df: int, confidence: float) -> None:
    low, high = noncentrality_interval(t, df, confidence=confidence)
    assert low < high
    assert noncentral_t(t, df, low) == pytest.approx((1 + confidence) / 2, abs=1e-9)
    assert noncentral_t(t, df, high) == pytest.approx((1 - confidence) / 2, abs=1e-9)


def test_the_interval_leaves_out_zero_exactly_when_the_paired_t_test_rejects() -> None:
    from scipy import stats

    rng = np.random.default_rng(5)
    decisions = set()
    for _ in range(40):
        difference = rng.normal(0.4, 1, 20)
        effect = cohen_dz(difference)
        rejected = bool(stats.ttest_1samp(difference, 0).pvalue < 0.05)
        assert rejected == (effect.low > 0 or effect.high < 0)
        decisions.add(rejected)
    assert decisions == {True, False}


def test_the_interval_of_d_covers_where_pairs_are_correlated() -> None:
    """Bivariate normal values with correlation .7 and a true d of .5, 25 topics, 1000 samples: nominal .95."""
    rng = np.random.default_rng(7)
    covered = 0
    for sample in rng.multivariate_normal([0.5, 0.0], [[1, 0.7], [0.7, 1]], (1000, 25)):
        effect = cohen_d(sample[:, 0], sample[:, 1])
        covered += effect.low <= 0.5 <= effect.high
    assert 0.93 <= covered / 1000 <= 0.97


def weighted_d(first: Floats, second: Floats, weight: Floats) -> float:
    """Cohen's d of topics that count unequally; all 1: as it is."""
    share, n = weight / weight.sum(), weight.size
    mean = share @ first, share @ second
    square = (share @ (first - mean[0]) ** 2 + share @ (second - mean[1]) ** 2) / 2
    return float((mean[0] - mean[1]) / math.sqrt(square * n / (n - 1)))


def by_weights(first: Floats, second: Floats) -> float:
    """Half of the interval by the infinitesimal jackknife: how d moves with the weight of each topic."""
    from scipy import stats

    n, step = first.size, 1e-5
    moved = [weighted_d(first, second, 1 + step * row) - weighted_d(first, second, 1 - step * row) for row in np.eye(n)]
    pull = n * np.array(moved) / (2 * step)
    return float(stats.t.ppf(0.975, 2 * n - 2) * math.sqrt((pull**2).sum() / (n * (n - 1))))


@pytest.mark.parametrize("seed", range(6))
def test_the_interval_of_d_is_the_wider_of_two(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.beta(0.3, 1.5, (2, 40))
    first[: seed // 2] += 6.0  # outliers: by the noncentral t it is wider
    effect, difference = cohen_d(first, second), first - second
    pooled = math.sqrt((first.var(ddof=1) + second.var(ddof=1)) / 2)
    dz, ratio, half = cohen_dz(difference), difference.std(ddof=1) / pooled, by_weights(first, second)
    expected = min(dz.low * ratio, effect.value - half), max(dz.high * ratio, effect.value + half)
    assert (effect.low, effect.high) == pytest.approx(expected, rel=1e-6)
    assert (seed >= 2) == (effect.high == pytest.approx(dz.high * ratio, rel=1e-9))


def test_the_three_are_told_apart_and_change_sign_with_the_order() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.random(30), rng.random(30)
    there, back = effect_sizes(first, second), effect_sizes(second, first)
    assert [one.name for one in there] == ["d_z", "d", "g"]
    assert len({round(one.value, 6) for one in there}) == 3
    for one, other in zip(there, back, strict=True):
        assert other.value == pytest.approx(-one.value, rel=1e-12)
        assert (other.low, other.high) == pytest.approx((-one.high, -one.low), rel=1e-9)
        assert one.low < one.value < one.high
    _, d, g = there
    assert g.value / d.value == pytest.approx(1 - 3 / (4 * 58 - 1), rel=1e-12)
    assert (g.low, g.high) == pytest.approx((d.low * g.value / d.value, d.high * g.value / d.value), rel=1e-12)


def test_what_has_no_size_says_why() -> None:
    same = np.array([0.1, 0.2, 0.3])
    dz, d, g = effect_sizes(same + 0.1, same)
    assert math.isnan(dz.value)
    assert "all differences are equal" in dz.note
    assert d.value == pytest.approx(1.0)
    assert math.isnan(d.low)
    assert g.note == d.note == "all differences are equal: no interval"
    flat = cohen_d(np.array([1.0, 1.0]), np.array([0.5, 0.5]))
    assert math.isnan(flat.value)
    assert "all values of each system are equal" in flat.note


def test_what_cannot_be_answered() -> None:
    one = np.array([0.5])
    with pytest.raises(ValueError, match="at least 2 topics needed, not 1"):
        cohen_dz(one)
    with pytest.raises(ValueError, match="at least 2 topics needed, not 1"):
        hedges_g(one, one)
    with pytest.raises(ValueError, match="pairs need the same topics: 3 values against 2"):
        effect_sizes(np.ones(3), np.ones(2))
    with pytest.raises(ValueError, match="finite"):
        cohen_dz(np.array([0.1, math.nan]))
    with pytest.raises(ValueError, match="between 0 and 1, not 95"):
        cohen_dz(np.array([0.1, 0.1]), confidence=95)
    with pytest.raises(ValueError, match="at least one degree of freedom"):
        noncentrality_interval(1.0, 0)
    with pytest.raises(ValueError, match="finite"):
        noncentrality_interval(math.inf, 5)
