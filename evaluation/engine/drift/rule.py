"""A rule for a series that grows: what is usual is frozen from its history, then each new point goes into a path."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.arrays import Floats
from evaluation.engine.drift.paths import PATHS, Bad, Method, Path
from evaluation.engine.drift.thresholds import thresholds
from evaluation.engine.drift.watch import DRAWS, LEAST_HISTORY, LEAST_STEP, RATE, autocorrelation, is_connected

HORIZON, MOST_HISTORY, MOST_HORIZON, SEED = 30, 1000, 1000, 42


@dataclass(frozen=True)
class Baseline:
    """`mean` and `deviation` of the history, and the level in deviations that the path of a series like it, without a
    change, passes anywhere in `horizon` new points with a chance of about `rate`."""

    method: Method
    bad: Bad
    n_history: int
    mean: float
    deviation: float
    threshold: float
    horizon: int
    rate: float
    block: int
    n_draws: int
    seed: int
    autocorrelation: float
    connected: bool

    @classmethod
    def of_facts(cls, facts: dict[str, Any]) -> Self:
        return cls(**facts)

    def to_facts(self) -> dict[str, Any]:
        return asdict(self)


def baseline_of(
    history: ArrayLike,
    *,
    method: Method,
    bad: Bad,
    horizon: int = HORIZON,
    rate: float = RATE,
    block: int = 1,
    n_draws: int = DRAWS,
    seed: int = SEED,
) -> Baseline:
    """From points (n_history,) in order of time, by `thresholds`, for one method and its bad direction alone.

    Raises `ValueError` for fewer than 20 points or more than 1000, equal ones, a horizon outside 1…1000, a rate outside
    (0, 1) or too small for the draws, a block outside the history.
    """
    value = np.asarray(history, np.float64)
    check_rule(value.size, horizon=horizon, rate=rate, block=block, n_draws=n_draws)
    if not np.isfinite(value).all() or np.ptp(value) <= LEAST_STEP:
        raise ValueError("all values of the history are equal: what is usual cannot be told from it")
    rng, lag = np.random.default_rng(seed), autocorrelation(value)
    level = thresholds(value, horizon, rate=rate, n_draws=n_draws, block=block, rng=rng, bad=bad)[method]
    return Baseline(
        method=method,
        bad=bad,
        n_history=value.size,
        mean=float(value.mean()),
        deviation=float(value.std(ddof=1)),
        threshold=level,
        horizon=horizon,
        rate=rate,
        block=block,
        n_draws=n_draws,
        seed=seed,
        autocorrelation=lag,
        connected=is_connected(lag, value.size),
    )


def check_rule(n_history: int, *, horizon: int, rate: float, block: int, n_draws: int = DRAWS) -> None:
    """Raises `ValueError` as `baseline_of`."""
    if not LEAST_HISTORY <= n_history <= MOST_HISTORY:
        raise ValueError(f"a history has {LEAST_HISTORY} to {MOST_HISTORY} points, not {n_history}")
    if not 1 <= horizon <= MOST_HORIZON:
        raise ValueError(f"a horizon has 1 to {MOST_HORIZON} points, not {horizon}")
    if not 0 < rate < 1 or rate * n_draws < 20:
        raise ValueError(f"a rate lies between {20 / n_draws:g} and 1, not at {rate:g}")
    if not 1 <= block <= n_history // 2:
        raise ValueError(f"a block has 1 to {n_history // 2} points, half of the history, not {block}")


def path_of(baseline: Baseline, new: ArrayLike, anew: frozenset[int] = frozenset()) -> Path:
    """Of new points (n_new,) in order of time. The path begins at 0, again at each place of `anew`, and again after
    `horizon` points: so the rate holds for each stretch of so many."""
    value = np.asarray(new, np.float64)
    z = (value - baseline.mean) / baseline.deviation
    up, down, stretch = np.zeros(z.size), np.zeros(z.size), np.zeros(z.size, np.int64)
    for begin, end in _stretches(z.size, baseline.horizon, anew):
        up[begin:end], down[begin:end] = PATHS[baseline.method](z[begin:end], baseline.n_history)
        stretch[begin:end] = begin
    return Path(up, down, stretch, baseline.bad)


def _stretches(n: int, horizon: int, anew: frozenset[int]) -> Iterator[tuple[int, int]]:
    begin = 0
    while begin < n:
        stops = [point for point in anew if begin < point < begin + horizon]
        end = min([*stops, begin + horizon, n])
        yield begin, end
        begin = end


def history_in(value: Floats, least: int) -> tuple[int, int] | None:
    """From which place to which the history is: the first `least` points, or more where these are all equal, of which
    the last 1000 count; None where there are too few."""
    if value.size < least:
        return None
    changes = np.flatnonzero(np.abs(value - value[0]) > LEAST_STEP)
    if not changes.size:
        return None
    end = max(least, int(changes[0]) + 1)
    return max(0, end - MOST_HISTORY), end
