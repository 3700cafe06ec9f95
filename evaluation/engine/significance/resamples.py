"""Bootstrap resamples: topics drawn with replacement, as how often each topic was drawn.

Counts instead of rows: the mean of a resample is counts @ value / n_topics, so that many columns of
values (runs, pairs, simulated collections) share one draw and one matrix product.

Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7, 1979.
"""

from collections.abc import Iterator

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.inputs import NOISE, Rng, centred, checked_draws, generator

N_RESAMPLES = 9_999  # (N + 1) times a usual tail is whole: the ends of an interval are resampled values themselves
_CELLS_AT_ONCE = 1 << 20


def resample_counts(n_topics: int, *, n_resamples: int, rng: Rng, n_columns: int = 1) -> Iterator[Floats]:
    """Parts of (n_resamples, n_topics): how often each resample of n_topics topics holds each. Rows sum to n_topics.

    A part is small enough to be multiplied with `n_columns` columns in little memory; `n_columns` changes no number.
    """
    draw = generator(rng)
    step = max(1, _CELLS_AT_ONCE // max(n_topics, n_columns))
    for first in range(0, checked_draws(n_resamples), step):
        n = min(step, n_resamples - first)
        drawn = draw.integers(0, n_topics, (n, n_topics))
        cell = drawn + np.arange(0, n * n_topics, n_topics)[:, None]
        yield np.bincount(cell.reshape(-1), minlength=n * n_topics).reshape(n, n_topics).astype(np.float64)


def resampled_means(value: Floats, *, n_resamples: int, rng: Rng) -> Floats:
    """Mean of each resample less the mean of the sample, for columns of `value`, (n_topics, n_columns).

    Gives (n_resamples, n_columns). All columns are resampled alike.
    """
    n_topics, n_columns = value.shape
    away = centred(value)
    parts = resample_counts(n_topics, n_resamples=n_resamples, rng=rng, n_columns=n_columns)
    return np.concatenate([count @ away / n_topics for count in parts])


def resampled_t(value: Floats, *, n_resamples: int, rng: Rng) -> Floats:
    """(Mean of the resample − mean of the sample) / standard error of the resample; shapes as `resampled_means`.

    A resample whose values are all equal has no standard error: ±infinity, by the side its mean lies on, or 0.
    """
    n_topics, n_columns = value.shape
    away = centred(value)
    parts = resample_counts(n_topics, n_resamples=n_resamples, rng=rng, n_columns=n_columns)
    return np.concatenate([_studentised(*sums_of(count, away), n_topics) for count in parts])


def sums_of(count: Floats, away: Floats) -> tuple[Floats, Floats]:
    """Each resample's sum, and its sum of squares about its own mean; both (n_resamples, n_columns).

    `count` is (n_resamples, n_topics), `away` (n_topics, n_columns). Sums that are mere rounding are exactly 0.
    """
    n_topics = away.shape[0]
    total, square = count @ away, count @ away**2
    noise = NOISE * square
    total[np.abs(total) <= NOISE * np.sqrt(n_topics * square)] = 0.0
    square -= total**2 / n_topics
    square[square <= noise] = 0.0
    return total, square


def _studentised(total: Floats, square: Floats, n_topics: int) -> Floats:
    """t = mean / (s / √n), from sums: total · √((n − 1) / (n · square))."""
    error = np.sqrt(square * n_topics / (n_topics - 1))
    with np.errstate(divide="ignore"):
        return np.where(total == 0, 0.0, total / np.where(total == 0, 1.0, error))
