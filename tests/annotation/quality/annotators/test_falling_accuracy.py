"""Somebody who is right on less and less of few gold pairs."""

import numpy as np
import pytest

from annotation.quality.annotators.falling_accuracy import LEAST, falling_of

ONE_GRADE = np.zeros(60, dtype=np.int64)


def answers(*parts: tuple[int, int]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Right and all of each part, the right ones first."""
    return np.concatenate([np.arange(n) < right for right, n in parts])


def test_a_fall_from_all_to_none_is_no_chance() -> None:
    right = answers((5, 5), (3, 7), (0, 4))
    falling = falling_of(np.arange(16), right, ONE_GRADE[:16])
    assert falling is not None
    assert falling.shares[0] == 1
    assert falling.shares[-1] == 0
    assert falling.is_sure
    assert falling.by_chance == falling.of_any_gold


def test_by_hand() -> None:
    """Three right, then three wrong: one order of twenty comes as early."""
    falling = falling_of(np.arange(6), answers((3, 6)), ONE_GRADE[:6])
    assert falling is not None
    assert falling.by_chance == pytest.approx(1 / 20, abs=0.01)


def test_other_gold_later_may_explain_it() -> None:
    """Always the same grade: right on the first gold, wrong on gold of another grade."""
    right, known = answers((8, 16)), np.repeat([2, 4], 8)
    falling = falling_of(np.arange(16), right, known)
    assert falling is not None
    assert (falling.is_sure, falling.may_be_the_gold, falling.by_chance) == (False, True, 1.0)


def test_honest_people_are_not_said_to_fall() -> None:
    rng = np.random.default_rng(3)
    falls = [falling_of(np.arange(15), rng.random(15) < 0.8, rng.integers(0, 3, 15)) for _ in range(300)]
    assert sum(falling is not None and falling.is_sure for falling in falls) <= 0.04 * 300


def test_of_few_pairs_nothing_is_said() -> None:
    assert falling_of(np.arange(LEAST - 1), answers((2, LEAST - 1)), ONE_GRADE[: LEAST - 1]) is None
