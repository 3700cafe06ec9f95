"""Wilson's interval."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.quality.wilson import wilson_interval
from tests.annotation.quality.worked import worked_example


@pytest.mark.parametrize(
    ("correct", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, Table I, method 3
        (15, 148, 0.0624, 0.1605),  # the same
        (0, 20, 0.0, 0.1611),  # the same
        (1, 29, 0.0061, 0.1718),  # the same
        (0, 10, 0.0, 0.2775),
    ],
)
def test_published_intervals(correct: int, n: int, low: float, high: float) -> None:
    interval = wilson_interval(np.array([correct]), np.array([n]))
    assert interval.low[0] == pytest.approx(low, abs=6e-5)
    assert interval.high[0] == pytest.approx(high, abs=6e-5)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["wilson_newcombe_81_263", "wilson_newcombe_0_20", "wilson_0_10"])
def test_worked_examples(shared_data: Path, name: str) -> None:
    example = worked_example(shared_data, name)
    case, expected = example["input"], example["expected"]
    interval = wilson_interval(np.array([case["x"]]), np.array([case["n"]]), confidence=case["conf"])
    assert interval.low[0] == pytest.approx(expected["low"], abs=example["tolerance"])
    assert interval.high[0] == pytest.approx(expected["high"], abs=example["tolerance"])


def test_nothing_known_is_everything_possible() -> None:
    interval = wilson_interval(np.array([0]), np.array([0]))
    assert (interval.low[0], interval.high[0]) == (0.0, 1.0)


@pytest.mark.parametrize("n", [1, 7, 1000])
def test_the_ends_are_exact(n: int) -> None:
    interval = wilson_interval(np.array([0, n]), np.array([n, n]))
    assert (interval.low[0], interval.high[1]) == (0.0, 1.0)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_share_lies_inside_and_the_ends_mirror(case: tuple[int, int]) -> None:
    correct, n = case
    here = wilson_interval(np.array([correct]), np.array([n]))
    there = wilson_interval(np.array([n - correct]), np.array([n]))
    assert 0 <= here.low[0] <= correct / n <= here.high[0] <= 1
    assert here.low[0] == pytest.approx(1 - there.high[0], abs=1e-12)


@pytest.mark.parametrize(("correct", "n", "confidence"), [(3, 2, 0.95), (-1, 2, 0.95), (1, 2, 1.0), (1, 2, 0.0)])
def test_what_cannot_be(correct: int, n: int, confidence: float) -> None:
    with pytest.raises(ValueError, match="between"):
        wilson_interval(np.array([correct]), np.array([n]), confidence=confidence)
