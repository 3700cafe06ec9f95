"""Means and straight lines of one person each, with Student's intervals."""

from statistics import NormalDist

import numpy as np

from annotation.quality.annotators.figure import Figures, figures
from annotation.quality.arrays import Floats, Ints, divided, tally

_NOISE = 1e-24  # of a sum of squares: what rounding can leave, with room
LEAST = 5  # values before a mean, and places before a line, says anything


def student_quantile(freedom: Ints, confidence: float = 0.95) -> Floats:
    """The two-sided quantile of Student's t, by its expansion in 1/ν (M. Abramowitz and I. A. Stegun, Handbook of
    Mathematical Functions, 1964, 26.7.5): right to 0.002 from four degrees of freedom up. NaN below three."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    nu = np.where(freedom >= 3, freedom, np.nan)
    return np.asarray(sum(term / nu**power for power, term in enumerate(terms)), dtype=np.float64)


def means(who: Ints, value: Floats, n_annotators: int, what: str, *, least: int = LEAST) -> Figures:
    """Mean of `value` (n,) of each person `who` (n,). No interval where all values of a person are the same."""
    n = tally(who, n_annotators)
    mean = divided(np.bincount(who, weights=value, minlength=n_annotators), n)
    squares, whole = (
        np.asarray(np.bincount(who, weights=each**2, minlength=n_annotators), dtype=np.float64)
        for each in (value - mean[who], value)
    )
    error = np.sqrt(divided(divided(_without_noise(squares, whole), n - 1), n))
    half = np.where(error > 0, student_quantile(n - 1) * error, np.nan)
    return figures(mean, n, what, low=mean - half, high=mean + half, least=least)


def slopes(
    who: Ints, position: Floats, value: Floats, n_annotators: int, what: str, *, least: int, alike: Ints | None = None
) -> Figures:
    """Least squares a person: how much `value` rises a step of `position`. Undefined where all have one position.

    `alike`: (n,), numbers from 0, with which each number gets a level of its own for each person: what those of one
    number have in common, and what changes because other numbers come, is not taken for a rise.
    """
    n = tally(who, n_annotators)
    level = np.unique(who if alike is None else who * (int(alike.max(initial=0)) + 1) + alike, return_inverse=True)[1]
    owner = np.zeros(int(level.max(initial=-1)) + 1, dtype=np.int64)
    owner[level] = who
    freedom = n - tally(owner, n_annotators) - 1

    def total(each: Floats) -> Floats:
        return np.asarray(np.bincount(who, weights=each, minlength=n_annotators), dtype=np.float64)

    def around(each: Floats) -> Floats:
        """Each from the mean of its level."""
        return each - divided(np.bincount(level, weights=each), np.bincount(level))[level]

    x, y = around(position), around(value)
    spread = _without_noise(total(x * x), total(position**2))
    slope = divided(total(x * y), spread)
    left = _without_noise(total((y - np.nan_to_num(slope)[who] * x) ** 2), total(value**2))
    error = np.sqrt(divided(divided(left, freedom), spread))
    half = np.where(error > 0, student_quantile(freedom) * error, np.nan)
    return figures(slope, n, what, low=slope - half, high=slope + half, least=least, otherwise="All have one place.")


def _without_noise(squares: Floats, whole: Floats) -> Floats:
    """Sums of squares of what is left of numbers whose squares sum to `whole`; 0 where only rounding left it."""
    return np.where(squares > _NOISE * whole, squares, 0.0)
