"""Clopper and Pearson's interval."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.quality.clopper_pearson import clopper_pearson_interval
from annotation.quality.wilson import wilson_interval


def ends(correct: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    interval = clopper_pearson_interval(np.array(correct), np.array(n), confidence=confidence)
    return float(interval.low), float(interval.high)


def at_least(k: int, n: int, share: float) -> float:
    """The chance of k or more of n, in whole numbers."""
    p = Fraction(share)
    return float(sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1)))


@pytest.mark.parametrize(
    ("correct", "n", "low", "high"),
    [(81, 263, 0.2527, 0.3676), (15, 148, 0.0578, 0.1617), (0, 20, 0.0, 0.1684), (1, 29, 0.0009, 0.1776)],
)
def test_published_intervals(correct: int, n: int, low: float, high: float) -> None:
    """R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 5."""
    assert ends(correct, n) == pytest.approx((low, high), abs=6e-5)


SOME_OF_N = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(SOME_OF_N, st.sampled_from([0.5, 0.9, 0.99]))
def test_at_each_end_the_tail_is_what_was_said(pair: tuple[int, int], confidence: float) -> None:
    (k, n), tail = pair, (1 - confidence) / 2
    low, high = ends(k, n, confidence)
    assert (low == 0.0) if k == 0 else at_least(k, n, low) == pytest.approx(tail, rel=1e-9)
    assert (high == 1.0) if k == n else 1 - at_least(k + 1, n, high) == pytest.approx(tail, rel=1e-9)
    mirrored = ends(n - k, n, confidence)
    assert (low, high) == pytest.approx((1 - mirrored[1], 1 - mirrored[0]), abs=1e-12)


def test_it_is_wider_than_wilsons() -> None:
    k, n = np.arange(31), np.full(31, 30)
    exact, score = clopper_pearson_interval(k, n), wilson_interval(k, n)
    assert (exact.high - exact.low >= score.high - score.low).all()


def test_nothing_known_is_everything_possible() -> None:
    assert ends(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("correct", "n", "confidence", "reason"),
    [(3, 2, 0.95, "between 0 and n"), (-1, 2, 0.95, "between 0 and n"), (1, 2, 1.0, "the confidence lies")],
)
def test_what_makes_no_sense(correct: int, n: int, confidence: float, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        ends(correct, n, confidence)
