"""What every statistic asks of its input: finite values, enough topics, a generator that can be repeated.

A value belongs to a topic and a run: `value` is (n_topics,) for one run and (n_topics, n_runs) for
several, with the same topics in the same order. Values have the unit of their measure.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.arrays import Bools, Floats

Rng: TypeAlias = np.random.Generator | int
NOISE = 1e-12  # what rounding can do to a sum or a difference of values, relative to the greatest of them


def generator(rng: Rng) -> np.random.Generator:
    """The generator itself, or a new one from the seed. Raises `ValueError` for anything else, `None` included."""
    if isinstance(rng, bool) or not isinstance(rng, np.random.Generator | int | np.integer):
        raise ValueError(f"rng is a numpy Generator or an integer seed, not {rng!r}")
    return np.random.default_rng(rng)


def checked_values(value: ArrayLike, *, least: int = 2) -> Floats:
    """`value` as float64, (n_topics,). Raises `ValueError` for another shape, too few topics, NaN or infinity."""
    values = np.asarray(value, np.float64)
    if values.ndim != 1:
        raise ValueError(f"one value a topic is needed, (n_topics,), not an array of shape {values.shape}")
    _check(values, least)
    return values


def checked_table(value: ArrayLike, *, least_runs: int = 2) -> Floats:
    """`value` as float64, (n_topics, n_runs); errors as `checked_values`, and for too few runs."""
    table = np.asarray(value, np.float64)
    if table.ndim != 2:
        raise ValueError(f"a table of values is needed, (n_topics, n_runs), not an array of shape {table.shape}")
    if table.shape[1] < least_runs:
        raise ValueError(f"at least {least_runs} runs are needed, not {table.shape[1]}")
    _check(table, 2)
    return table


def paired_difference(value: ArrayLike, other: ArrayLike) -> Floats:
    """`value` − `other` topic by topic, (n_topics,): positive where the first run is better.

    A difference that is mere rounding (up to 1e-12 of the values) is 0, so that 0.1 + 0.2 and 0.3 count as equal.
    Raises `ValueError` for arrays that do not match, fewer than 2 topics, NaN or infinity.
    """
    first, second = checked_values(value), checked_values(other)
    if first.size != second.size:
        raise ValueError(f"pairs need the same topics: {first.size} values against {second.size}")
    return without_noise(first, second)


def without_noise(first: Floats, second: Floats) -> Floats:
    """first − second of any shape, 0 where the difference is mere rounding."""
    difference: Floats = first - second
    noise = np.abs(difference) <= NOISE * np.maximum(np.abs(first), np.abs(second))
    return np.where(noise, 0.0, difference)


def checked_confidence(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise ValueError(f"the confidence lies between 0 and 1, not {confidence}")
    return confidence


def checked_draws(n: int) -> int:
    """How many sign vectors, resamples or permutations; at least 1."""
    if n < 1:
        raise ValueError(f"at least one draw is needed, not {n}")
    return n


def is_constant(value: Floats) -> Bools:
    """Whether all values of a column are equal up to rounding, so that they have no deviation to measure by."""
    constant: Bools = np.ptp(value, axis=0) <= NOISE * np.abs(value).max(axis=0)
    return constant


def centred(value: Floats) -> Floats:
    """value − mean of its column, (n_topics, n_columns); exactly 0 where the column is constant."""
    return np.where(is_constant(value), 0.0, value - value.mean(axis=0))


def deviation(value: Floats) -> Floats:
    """The standard deviation (n − 1) of each column, (n_columns,); exactly 0 where it is constant."""
    scatter: Floats = np.sqrt((centred(value) ** 2).sum(axis=0) / (value.shape[0] - 1))
    return scatter


def _check(value: Floats, least: int) -> None:
    if value.shape[0] < least:
        raise ValueError(f"at least {least} topic{'s' * (least > 1)} needed, not {value.shape[0]}")
    if not np.isfinite(value).all():
        where = np.argwhere(~np.isfinite(value))[0]
        raise ValueError(f"the value at {tuple(where.tolist())} is {value[tuple(where)]}: values must be finite")
