"""Bootstrap intervals of a mean: studentised, percentile, basic and BCa.

Each is written for columns of values, (n_topics, n_columns), that are resampled alike, and gives
the ends of the interval of each column, (n_columns,) and (n_columns,). A column of equal values has
an interval of width 0.

Davison and Hinkley, Bootstrap Methods and their Application, 1997, chapter 5: an end is the k-th
smallest of the N resampled values, k = (N + 1) · tail, rounded outwards, without interpolation.
"""

import math

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.inputs import NOISE, Rng, centred, deviation
from evaluation.engine.significance.resamples import resampled_means, resampled_t


def studentised_ends(value: Floats, *, confidence: float, n_resamples: int, rng: Rng) -> tuple[Floats, Floats]:
    """mean − t*(upper) · s/√n … mean − t*(lower) · s/√n, with t* of resamples that carry their own standard error.

    An end is infinite where more than the tail's share of the resamples has all values equal: too few topics, or too
    few different values, to bound it.

    Efron, Nonparametric standard errors and confidence intervals, Canadian Journal of Statistics 9, 1981 (bootstrap t).
    """
    t = resampled_t(value, n_resamples=n_resamples, rng=rng)
    low, high = percentile_tails(t, confidence)
    mean, error = value.mean(axis=0), deviation(value) / math.sqrt(value.shape[0])
    return mean - high * error, mean - low * error


def percentile_ends(value: Floats, *, confidence: float, n_resamples: int, rng: Rng) -> tuple[Floats, Floats]:
    """The tails of the resampled means themselves. Too narrow for few topics: about 92 % instead of 95 at 25.

    Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7, 1979.
    """
    low, high = percentile_tails(resampled_means(value, n_resamples=n_resamples, rng=rng), confidence)
    return value.mean(axis=0) + low, value.mean(axis=0) + high


def basic_ends(value: Floats, *, confidence: float, n_resamples: int, rng: Rng) -> tuple[Floats, Floats]:
    """The percentile interval mirrored at the mean: the resamples' error with its sign the right way round."""
    low, high = percentile_tails(resampled_means(value, n_resamples=n_resamples, rng=rng), confidence)
    return value.mean(axis=0) - high, value.mean(axis=0) - low


def bca_ends(value: Floats, *, confidence: float, n_resamples: int, rng: Rng) -> tuple[Floats, Floats]:
    """The percentile interval with its tails moved for bias and for a deviation that changes with the mean.

    Efron, Better bootstrap confidence intervals, JASA 82, 1987. The acceleration is the jackknife's, which for a mean
    is Σ(x − x̄)³ / (6 (Σ(x − x̄)²)^1.5); a resampled mean equal to the mean counts half below it.
    """
    from scipy.special import ndtr, ndtri

    away = resampled_means(value, n_resamples=n_resamples, rng=rng)  # (n_resamples, n_columns)
    z0 = ndtri(_share_below(away, NOISE * np.abs(value).max(axis=0)))
    ascending = np.sort(away, axis=0)
    ends = []
    for side in (-1, 1):
        z = z0 + side * float(ndtri((1 + confidence) / 2))
        tail = ndtr(z0 + z / np.maximum(1 - _acceleration(value) * z, NOISE))
        k = np.floor((n_resamples + 1) * tail) if side < 0 else np.ceil((n_resamples + 1) * tail)
        at = np.clip(k, 1, n_resamples).astype(np.int64) - 1
        ends.append(value.mean(axis=0) + np.take_along_axis(ascending, at[None, :], axis=0)[0])
    return ends[0], ends[1]


def least_resamples(confidence: float) -> int:
    """How many resamples an interval needs at least, so that a tail of them holds one."""
    return math.ceil(2 / (1 - confidence) - 1e-9) - 1


def percentile_tails(resampled: Floats, confidence: float, *, interpolated: bool = False) -> tuple[Floats, Floats]:
    """The k-th smallest and the k-th greatest of each column of (n_resamples, n_columns).

    `interpolated`: between two of them, as `numpy.percentile` and most tutorials do; slightly narrower.
    """
    if interpolated:
        tail = (1 - confidence) / 2
        low, high = np.quantile(resampled, [tail, 1 - tail], axis=0)
        return low, high
    n_resamples = resampled.shape[0]
    k = max(1, math.floor((n_resamples + 1) * (1 - confidence) / 2 + 1e-9))
    ordered = np.partition(resampled, [k - 1, n_resamples - k], axis=0)
    return ordered[k - 1], ordered[n_resamples - k]


def _share_below(away: Floats, noise: Floats) -> Floats:
    """The share of resampled means below the mean, equal ones counted half; never 0 or 1."""
    n_resamples = away.shape[0]
    below = (away < -noise).sum(axis=0) + ((away >= -noise) & (away <= noise)).sum(axis=0) / 2
    share: Floats = np.clip(below, 0.5, n_resamples - 0.5) / n_resamples
    return share


def _acceleration(value: Floats) -> Floats:
    away = centred(value)
    scale = np.abs(away).max(axis=0)
    unit = away / np.where(scale == 0, 1.0, scale)
    square = (unit**2).sum(axis=0)
    skew: Floats = (unit**3).sum(axis=0) / (6 * np.where(square == 0, 1.0, square) ** 1.5)
    return skew
