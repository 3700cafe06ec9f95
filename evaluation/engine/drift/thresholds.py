"""Thresholds of a series from its own history, at a stated rate of false alarms."""

import math

import numpy as np

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.drift.paths import PATHS, Bad, Method, worst

CELLS = 1 << 21  # points drawn at once


def thresholds(
    history: Floats,
    n_new: int,
    *,
    rate: float,
    n_draws: int,
    block: int,
    rng: np.random.Generator,
    bad: Bad = "either",
) -> dict[Method, float]:
    """For each method the level that its path in a `bad` direction passes, anywhere in `n_new` points, in a share
    `rate` of draws without a change.

    A draw is a history and new points, both of the points of `history` (n_history,) with replacement, in blocks of so
    many that follow each other, around its end. Mean and deviation are taken of the drawn history: that they are only
    estimated, counts in. Politis and Romano, A circular block-resampling procedure for stationary data, 1992.
    """
    step = max(1, CELLS // (history.size + n_new))
    greatest: dict[Method, list[Floats]] = {method: [] for method in PATHS}
    for begin in range(0, n_draws, step):
        n = min(step, n_draws - begin)
        old, new = (history[_drawn(history.size, n, size, block, rng)] for size in (history.size, n_new))
        z = standardised(old, new, float(history.std(ddof=1)))
        for method, path in PATHS.items():
            greatest[method].append(worst(path(z, history.size), bad).max(axis=1))
    return {
        method: float(np.quantile(np.concatenate(parts), 1 - rate, method="higher"))
        for method, parts in greatest.items()
    }


def standardised(history: Floats, new: Floats, instead: float) -> Floats:
    """New points in deviations of their history from its mean; `instead` is the deviation of one that has none."""
    deviation = history.std(axis=-1, ddof=1, keepdims=True)
    return np.asarray((new - history.mean(axis=-1, keepdims=True)) / np.where(deviation > 0, deviation, instead))


def _drawn(n_history: int, n_draws: int, size: int, block: int, rng: np.random.Generator) -> Ints:
    """(n_draws, size) places in the history."""
    begin = rng.integers(0, n_history, (n_draws, math.ceil(size / block)))
    return ((begin[:, :, None] + np.arange(block)) % n_history).reshape(n_draws, -1)[:, :size]
