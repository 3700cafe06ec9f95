"""Whether a series has left its history."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from annotation.text.counted import counted
from evaluation.engine.arrays import Floats
from evaluation.engine.drift.paths import PATHS, Method, Path, first_above
from evaluation.engine.drift.thresholds import standardised, thresholds

LEAST_HISTORY, MOST_POINTS = 20, 100_000
FEW_HISTORY = 50  # below, thresholds are said to be rough
RATE, DRAWS, BLOCK = 0.05, 4000, 1
GREATEST, LEAST_STEP = 1e100, 1e-100  # of values, so that sums of squares are neither infinite nor 0


@dataclass(frozen=True)
class Alarm:
    """`at` and `begins` are points of the whole series, from 0: the first above the threshold, and the first since the
    path last was 0, an estimate of where the change begins (`Path.begins`)."""

    at: int
    begins: int
    direction: Literal["up", "down"]


@dataclass(frozen=True)
class Watch:
    """Of one method, in deviations of the history. `alarm` is None where `greatest` is at most `threshold`."""

    method: Method
    threshold: float
    greatest: float
    alarm: Alarm | None


@dataclass(frozen=True)
class Watched:
    """`rate`: of any false alarm, by any method, in all new points; each method has an equal share of it.

    `autocorrelation` of the history at lag 1; `connected` says that it is beyond what independent points show.
    """

    n_history: int
    n_new: int
    mean: float
    deviation: float
    autocorrelation: float
    connected: bool
    rate: float
    n_draws: int
    block: int
    watches: tuple[Watch, ...]

    @property
    def is_alarm(self) -> bool:
        return any(watch.alarm for watch in self.watches)


def watch(
    value: ArrayLike, n_history: int, *, seed: int, rate: float = RATE, n_draws: int = DRAWS, block: int = BLOCK
) -> Watched:
    """`value` (n_points,), in order of time; the first `n_history` are the history, in which nothing is taken to have
    changed. `block`: points in a row that are drawn together, where they follow each other.

    Raises `ValueError` for fewer than 20 points of history or none after it, more than 100,000 points, a history
    without variation, what is not finite or beyond ±1e100, a rate outside (0, 1) or too small for the draws, a block
    outside the history.
    """
    series = np.asarray(value, np.float64)
    _check(series, n_history, rate, n_draws, block)
    history, new = series[:n_history], series[n_history:]
    level = thresholds(
        history, new.size, rate=rate / len(PATHS), n_draws=n_draws, block=block, rng=np.random.default_rng(seed)
    )
    z, lag = standardised(history, new, 1.0), autocorrelation(history)
    return Watched(
        n_history=n_history,
        n_new=new.size,
        mean=float(history.mean()),
        deviation=float(history.std(ddof=1)),
        autocorrelation=lag,
        connected=is_connected(lag, n_history),
        rate=rate,
        n_draws=n_draws,
        block=block,
        watches=tuple(_watch(method, z, n_history, level[method]) for method in PATHS),
    )


def _watch(method: Method, z: Floats, n_history: int, threshold: float) -> Watch:
    path = Path(*PATHS[method](z, n_history), np.zeros(z.size, np.int64), "either")
    at = first_above(path, threshold)
    alarm = None if at is None else Alarm(n_history + at, n_history + path.begins(at), path.direction(at))
    return Watch(method, threshold, float(path.level.max()), alarm)


def is_connected(lag: float, n_history: int) -> bool:
    """Whether the autocorrelation is beyond what independent points show."""
    return abs(lag + 1 / n_history) > 1.96 / math.sqrt(n_history)


def autocorrelation(history: Floats) -> float:
    """At lag 1; not of points that are all equal."""
    centred = history - history.mean()
    return float(centred[1:] @ centred[:-1] / (centred @ centred))


def _check(series: Floats, n_history: int, rate: float, n_draws: int, block: int) -> None:
    if series.ndim != 1 or not np.isfinite(series).all():
        raise ValueError("a series is a row of finite numbers")
    if not np.abs(series).max(initial=0.0) <= GREATEST:
        raise ValueError(f"the values of a series lie between -{GREATEST:g} and {GREATEST:g}")
    if not LEAST_HISTORY <= n_history < series.size <= MOST_POINTS:
        raise ValueError(
            f"{counted(series.size, 'point')}, {n_history} of them history: at least {LEAST_HISTORY} are history, at "
            f"least one comes after it, and there are at most {MOST_POINTS:,}"
        )
    if np.ptp(series[:n_history]) <= LEAST_STEP:
        raise ValueError("all values of the history are equal: what is usual cannot be told from it")
    if not 0 < rate < 1 or rate * n_draws < 20:
        raise ValueError(f"a rate lies between 0 and 1, and is at least 20 / draws; {rate:g} of {n_draws} is not")
    if not 1 <= block <= n_history // 2:
        raise ValueError(f"a block has 1 to {n_history // 2} points, half of the history, not {block}")
