"""How far a stated confidence holds: Brier score and expected calibration error, with what chance alone would show.

Expected calibration error: M. P. Naeini, G. F. Cooper and M. Hauskrecht, Obtaining Well Calibrated
Probabilities Using Bayesian Binning (2015): the distance of what was said from what was true, tenth
of confidence by tenth, each by its pairs. It is above 0 even where a confidence holds, because
shares of few pairs scatter; so it is read beside what it would be by chance. Intervals draw topics
anew, for pairs of a topic are alike. The error has none: each draw scatters once more and makes it
larger still, so that draws of a small error lie above it, and turning them round does not help.
"""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints, divided, tally
from annotation.quality.poisson_binomial import chances_of_numbers

N_BINS = 10
N_DRAWS = 1000
NORMAL = 100.0  # variance of a tenth, from which a normal distribution has its scatter to a thousandth
LEAST = 20  # pairs: fewer give neither an interval nor a curve to correct by


@dataclass(frozen=True)
class Measured:
    """A figure with its percentile interval (95 %); None under `LEAST` pairs, or where a single topic leaves nothing to
    draw from."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class CalibrationScores:
    """`ece_by_chance`: the mean of the error if what was said held exactly, for the very same confidences."""

    brier: Measured
    ece: float
    ece_by_chance: float


def calibration_scores(
    probability: Floats, right: Bools, topic: Ints, *, rng: int | np.random.Generator
) -> CalibrationScores:
    """(n,) each, n at least 1; `topic` are any codes."""
    draw = np.random.default_rng(rng)
    code = np.unique(topic, return_inverse=True)[1].reshape(-1)
    n_topics = int(code.max()) + 1
    n = np.bincount(code, minlength=n_topics)
    squared = np.bincount(code, weights=(probability - right) ** 2, minlength=n_topics)
    times = draw.multinomial(n_topics, np.full(n_topics, 1 / n_topics), size=N_DRAWS)  # (n_draws, n_topics)
    drawn = times @ n  # (n_draws,): pairs, at least 1
    has_interval = n_topics > 1 and len(right) >= LEAST
    return CalibrationScores(
        _measured(squared.sum() / n.sum(), (times @ squared) / drawn if has_interval else None),
        float(np.abs(_gaps(probability, right)).sum() / n.sum()),
        _by_chance(probability),
    )


def bins_of(probability: Floats) -> Ints:
    """(n,) → (n,): the tenth that each lies in, 1 in the last."""
    return np.minimum((probability * N_BINS).astype(np.int64), N_BINS - 1)


def by_tenths(probability: Floats, right: Bools) -> tuple[Ints, Floats, Floats]:
    """`(n, mean, share)`, (n_bins,) each: pairs by tenths of the probability, its mean, and their share right; NaN
    where no pair falls."""
    bins = bins_of(probability)
    n = tally(bins, N_BINS)
    mean, share = (divided(np.bincount(bins, weights=each, minlength=N_BINS), n) for each in (probability, right))
    return n, mean, share


def _gaps(probability: Floats, right: Bools) -> Floats:
    """(n_bins,): said − true, summed. Its size is the pairs of the bin times the distance of their means."""
    gap: Floats = (probability - right).astype(np.float64)
    return np.bincount(bins_of(probability), weights=gap, minlength=N_BINS).astype(np.float64)


def _by_chance(probability: Floats) -> float:
    """Tenth by tenth the distance to be expected of the number right from the sum of what was said."""
    bins = bins_of(probability)
    return float(sum(_scatter(probability[bins == b]) for b in np.unique(bins).tolist()) / len(probability))


def _scatter(probability: Floats) -> float:
    """E|X − Σ p|, X being how many are right: exact, and by the normal distribution where that is as good."""
    variance = float((probability * (1 - probability)).sum())
    if variance > NORMAL:
        return float(np.sqrt(2 * variance / np.pi))
    return float(np.abs(np.arange(len(probability) + 1) - probability.sum()) @ chances_of_numbers(probability))


def _measured(value: float | Floats, drawn: Floats | None) -> Measured:
    if drawn is None:
        return Measured(float(value), None, None)
    low, high = np.quantile(drawn, [0.025, 0.975]).tolist()
    return Measured(float(value), low, high)
