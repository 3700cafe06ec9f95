import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.engine.significance.paired.randomization import randomization
from evaluation.engine.significance.paired.result import Alternative

DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def test_darwins_maize_as_fisher_counted_it() -> None:
    """The Design of Experiments, 1935, § 21: 863 of the 32,768 sign vectors give a sum of at least 314."""
    one_sided = randomization(DARWIN, alternative="greater", rng=0)
    assert (one_sided.p, one_sided.n_draws, one_sided.exact) == (863 / 32768, 32768, True)
    assert randomization(DARWIN, rng=0).p == 2 * 863 / 32768
    assert one_sided.statistic == pytest.approx(314 / 15)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", range(4))
def test_exact_p_is_scipys(seed: int, alternative: Alternative) -> None:
    value = np.random.default_rng(seed).normal(0.3, 1, 11)
    expected = stats.permutation_test(
        (value,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative=alternative
    )
    assert randomization(value, alternative=alternative, rng=seed).p == pytest.approx(expected.pvalue, rel=1e-12)


def test_ties_up_to_rounding_count() -> None:
    """Tenths, whose sums differ in the last bit by the order of adding: counted with whole numbers."""
    tenths = [1, 2, 3, 1, 1, -2, 3, 3, -1, 2]
    sums = [
        abs(sum(s * d for s, d in zip(sign, tenths, strict=True))) for sign in itertools.product((1, -1), repeat=10)
    ]
    expected = sum(total >= abs(sum(tenths)) for total in sums) / 1024
    assert randomization(np.array(tenths) / 10, rng=0).p == expected


def test_topics_without_difference_take_no_part() -> None:
    value = np.concatenate([DARWIN, np.zeros(1000)])
    outcome = randomization(value, rng=0)
    assert (outcome.p, outcome.exact, outcome.n_topics, outcome.n_different) == (2 * 863 / 32768, True, 1015, 15)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_drawn_p_agrees_with_the_exact_one(alternative: Alternative) -> None:
    value = np.random.default_rng(8).normal(0.4, 1, 18)
    exact = randomization(value, alternative=alternative, n_flips=2**18, rng=0)
    drawn = randomization(value, alternative=alternative, n_flips=2**18 - 1, rng=0)
    assert (exact.exact, drawn.exact, exact.sampling_error) == (True, False, 0.0)
    assert drawn.n_draws == 2**18 - 1
    assert abs(exact.p - drawn.p) < 5 * drawn.sampling_error


def test_drawn_p_scatters_as_with_independent_flips() -> None:
    value = np.random.default_rng(5).standard_t(2, 40) + 0.8
    p = np.array([randomization(value, n_flips=5_000, rng=seed).p for seed in range(400)])
    assert p.std() == pytest.approx(math.sqrt(p.mean() * (1 - p.mean()) / 5_000), rel=0.15)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_false_alarms_are_as_rare_as_said(alpha: float) -> None:
    """4000 pairs of runs that do not differ, with very unequal topics: P(p ≤ alpha) is alpha."""
    rng = np.random.default_rng(6)
    p = [randomization(rng.normal(size=25) * np.arange(1, 26), n_flips=499, rng=rng).p for _ in range(4_000)]
    assert np.mean(np.array(p) <= alpha) == pytest.approx(alpha, abs=4 * math.sqrt(alpha * (1 - alpha) / 4_000))


def test_the_seed_decides_and_a_generator_goes_on() -> None:
    value = np.random.default_rng(1).normal(0.2, 1, 60)
    assert randomization(value, rng=7) == randomization(value, rng=np.random.default_rng(7))
    rng = np.random.default_rng(7)
    assert randomization(value, rng=rng).p != randomization(value, rng=rng).p


def test_p_is_never_0_and_the_smallest_is_known() -> None:
    outcome = randomization(np.arange(1.0, 101.0), n_flips=1_000, rng=0)
    assert outcome.n_draws == 1023
    assert outcome.p == 1 / 1024


@pytest.mark.parametrize("n", [2, 30])
def test_no_difference_at_all(n: int) -> None:
    outcome = randomization(np.zeros(n), rng=0)
    assert (outcome.statistic, outcome.p, outcome.exact, outcome.n_different) == (0.0, 1.0, True, 0)


def test_one_difference_everywhere() -> None:
    assert randomization([0.1] * 4, rng=0).p == 2 / 16
    assert randomization([0.1] * 4, alternative="less", rng=0).p == 1.0


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=9))
def test_against_counting_all_sign_vectors(value: list[float]) -> None:
    outcome = randomization(value, rng=0)
    size = sum(map(abs, value))
    sums = [
        abs(math.fsum(s * d for s, d in zip(sign, value, strict=True)))
        for sign in itertools.product((1, -1), repeat=len(value))
    ]
    clear = [total for total in sums if abs(total - sums[0]) > 1e-9 * size]
    near = len(sums) - len(clear)
    above = sum(total > sums[0] for total in clear)
    assert above / len(sums) < outcome.p <= (above + near) / len(sums)


def test_what_cannot_be_answered() -> None:
    with pytest.raises(ValueError, match="at least 2 topics"):
        randomization([0.1], rng=0)
    with pytest.raises(ValueError, match="must be finite"):
        randomization([0.1, np.inf], rng=0)
    with pytest.raises(ValueError, match="at least one draw"):
        randomization([0.1, 0.2], n_flips=0, rng=0)
