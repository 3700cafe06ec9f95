"""Wilcoxon's signed rank test and the sign test."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.engine.significance.paired.result import Alternative
from evaluation.engine.significance.paired.sign import sign_test
from evaluation.engine.significance.paired.wilcoxon import Zeros, _double_ranks, _exact_tails, _normal_tails, wilcoxon

SIDES: list[Alternative] = ["two-sided", "greater", "less"]
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def test_darwins_maize() -> None:
    """R 4, wilcox.test: V = 96, p = 0.04126; binom.test(13, 15): p = 0.007385."""
    assert wilcoxon(DARWIN).statistic == 96.0
    assert wilcoxon(DARWIN).p == pytest.approx(0.04126, abs=5e-6)
    assert sign_test(DARWIN).statistic == 13.0
    assert sign_test(DARWIN).p == pytest.approx(0.007385, abs=5e-7)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("n", [2, 3, 10, 50])
def test_wilcoxon_without_ties_is_scipys(n: int, alternative: Alternative) -> None:
    value = np.random.default_rng(n).normal(0.3, 1, n)
    expected = stats.wilcoxon(value, alternative=alternative, method="exact")
    outcome = wilcoxon(value, alternative=alternative)
    assert outcome.p == pytest.approx(expected.pvalue, rel=1e-12)
    assert outcome.exact
    if alternative != "two-sided":
        assert outcome.statistic == expected.statistic


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("alternative", SIDES)
def test_wilcoxon_with_ties_and_zeros_is_exact(alternative: Alternative, zeros: Zeros) -> None:
    """Tenths as differences of tenths, whose ties differ in the last bit; scipy gets them rounded."""
    first, second = np.random.default_rng(12).integers(0, 7, (2, 10)) / 10
    method = stats.PermutationMethod(n_resamples=np.inf)
    expected = stats.wilcoxon(
        np.round(first - second, 9),
        alternative=alternative,
        zero_method={"drop": "wilcox", "pratt": "pratt"}[zeros],
        method=method,
    )
    assert wilcoxon(first - second, alternative=alternative, zeros=zeros).p == pytest.approx(expected.pvalue, rel=1e-12)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("zeros", ["drop", "pratt"])
def test_wilcoxon_of_many_topics_is_normal(alternative: Alternative, zeros: Zeros) -> None:
    value = np.random.default_rng(9).integers(-20, 23, 400).astype(np.float64)
    expected = stats.wilcoxon(
        value,
        alternative=alternative,
        zero_method={"drop": "wilcox", "pratt": "pratt"}[zeros],
        method="asymptotic",
        correction=True,
    )
    outcome = wilcoxon(value, alternative=alternative, zeros=zeros)
    assert outcome.p == pytest.approx(expected.pvalue, rel=1e-9)
    assert not outcome.exact


@pytest.mark.parametrize("tied", [False, True])
def test_where_exact_ends_the_normal_tails_are_near(*, tied: bool) -> None:
    for seed in range(20):
        value = np.random.default_rng(seed).normal(0.1, 1, 201)
        ranked = np.round(value * 5) + 0.5 if tied else value
        double = _double_ranks(np.abs(ranked))
        w = int(double[ranked > 0].sum())
        assert _normal_tails(double, w) == pytest.approx(_exact_tails(double, w), abs=0.001)
    assert wilcoxon(value[:200]).exact
    assert not wilcoxon(value).exact


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize(("better", "worse"), [(0, 3), (1, 1), (5, 2), (400, 350), (3, 0)])
def test_sign_test_is_the_binomial_test(better: int, worse: int, alternative: Alternative) -> None:
    value = np.concatenate([np.full(better, 0.1), np.full(worse, -0.2), np.zeros(4)])
    outcome = sign_test(value, alternative=alternative)
    expected = stats.binomtest(better, better + worse, alternative=alternative)
    assert outcome.p == pytest.approx(expected.pvalue, rel=1e-12)
    assert (outcome.n_topics, outcome.n_different, outcome.exact) == (better + worse + 4, better + worse, True)


@pytest.mark.parametrize("test", [wilcoxon, sign_test])
def test_no_difference_and_p_never_0(test: type[object]) -> None:
    nothing = test([0.0, 0.0])  # type: ignore[call-arg]
    assert (nothing.statistic, nothing.p) == (0.0, 1.0)  # type: ignore[attr-defined]
    assert test(np.arange(1.0, 5_001.0)).p > 0  # type: ignore[call-arg, attr-defined]


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=12))
def test_both_are_symmetric(value: list[int]) -> None:
    for test in (wilcoxon, sign_test):
        turned = test([-v for v in value])
        assert test(value).p == pytest.approx(turned.p, rel=1e-12)
        assert test(value, alternative="greater").p == pytest.approx(test([-v for v in value], alternative="less").p)
        assert math.isclose(test(value).p, min(1.0, 2 * min(test(value, alternative=side).p for side in SIDES[1:])))


def test_what_cannot_be_answered() -> None:
    for test in (wilcoxon, sign_test):
        with pytest.raises(ValueError, match="at least 2 topics"):
            test([0.1])
        with pytest.raises(ValueError, match="must be finite"):
            test([0.1, np.nan])
    with pytest.raises(ValueError, match="'drop' or 'pratt', not 'zsplit'"):
        wilcoxon([0.1, 0.2], zeros="zsplit")  # type: ignore[arg-type]
