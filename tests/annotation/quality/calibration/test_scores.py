"""How far a confidence holds: by hand, against a plain computation, and on simulated truth."""

import numpy as np
import pytest
from scipy.stats import binom

from annotation.quality.arrays import Bools, Floats
from annotation.quality.calibration import calibration_scores


def plain_ece(probability: Floats, right: Bools) -> float:
    """Tenth by tenth, as the definition reads."""
    total = 0.0
    for b in range(10):
        rows = [i for i, p in enumerate(probability.tolist()) if min(int(p * 10), 9) == b]
        if rows:
            total += abs(float(np.sum(probability[rows]) - np.sum(right[rows]))) / len(right)
    return total


def test_by_hand() -> None:
    scores = calibration_scores(np.array([0.9, 0.9, 0.6]), np.array([True, False, True]), np.array([7, 7, 3]), rng=1)
    assert scores.brier.value == pytest.approx((0.01 + 0.81 + 0.16) / 3)
    assert scores.ece == pytest.approx((abs(1.8 - 1) + abs(0.6 - 1)) / 3)


@pytest.mark.parametrize("seed", range(5))
def test_against_a_plain_computation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    probability, right = rng.random(300), rng.random(300) < 0.6
    scores = calibration_scores(probability, right, rng.integers(0, 12, 300), rng=1)
    assert scores.ece == pytest.approx(plain_ece(probability, right))
    assert scores.brier.value == pytest.approx(float(np.mean((probability - right) ** 2)))
    assert scores.brier.low is not None
    assert scores.brier.high is not None
    assert scores.brier.low < scores.brier.value < scores.brier.high


def test_a_confidence_that_holds_shows_what_chance_shows_and_one_that_does_not_shows_more() -> None:
    """Means over 500 simulated truths each; half the pairs at 0.55, half at 0.85."""
    rng = np.random.default_rng(3)
    probability, topic = np.repeat([0.55, 0.85], 100), np.tile(np.arange(20), 10)
    chance = calibration_scores(probability, rng.random(200) < probability, topic, rng=1).ece_by_chance
    holds = [plain_ece(probability, rng.random(200) < probability) for _ in range(500)]
    assert np.mean(holds) == pytest.approx(chance, rel=0.1)
    brags = [plain_ece(probability, rng.random(200) < probability - 0.3) for _ in range(100)]
    assert np.mean(brags) == pytest.approx(0.3, abs=0.02)


@pytest.mark.parametrize(
    ("probability", "expected"),
    [
        ([0.95], 2 * 0.95 * 0.05),
        ([0.9, 0.9], (1.8 * 0.01 + 0.8 * 0.18 + 0.2 * 0.81) / 2),  # none, one and both right
        ([0.9, 0.3], (2 * 0.9 * 0.1 + 2 * 0.3 * 0.7) / 2),  # a tenth each
        ([0.5] * 390, binom.expect(lambda k: abs(k - 195), (390, 0.5)) / 390),
        ([0.5] * 410, binom.expect(lambda k: abs(k - 205), (410, 0.5)) / 410),  # by the normal distribution
        ([0.0, 1.0], 0),
    ],
)
def test_what_chance_shows_is_what_is_to_be_expected(probability: list[float], expected: float) -> None:
    n = len(probability)
    scores = calibration_scores(np.array(probability), np.ones(n, dtype=bool), np.zeros(n, dtype=np.int64), rng=1)
    assert scores.ece_by_chance == pytest.approx(expected, rel=1e-3)


def test_topics_are_drawn_and_a_single_one_leaves_no_interval() -> None:
    """All pairs of a topic alike: with two topics, one right and one wrong, a draw is 0, ½ or 1 wrong."""
    sure, right = np.ones(20), np.repeat([True, False], 10)
    two = calibration_scores(sure, right, np.repeat([0, 1], 10), rng=1)
    assert (two.brier.value, two.brier.low, two.brier.high) == (0.5, 0, 1)
    one = calibration_scores(sure, right, np.zeros(20, dtype=np.int64), rng=1)
    assert (one.brier.value, one.brier.low, one.brier.high) == (0.5, None, None)
    assert one.ece_by_chance == 0


def test_under_20_pairs_there_is_no_interval() -> None:
    """Said one half of each, so that every draw is 0.25: an interval without width."""
    few, enough = (
        calibration_scores(np.full(n, 0.5), np.arange(n) % 2 == 0, np.arange(n) % 4, rng=1) for n in (19, 20)
    )
    assert (few.brier.value, few.brier.low, few.brier.high) == (0.25, None, None)
    assert enough.brier.low is not None
