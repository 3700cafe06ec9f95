"""The bootstrap test of paired differences, by the shift method."""

import math
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.significance.inputs import NOISE, Rng, centred, checked_values, is_constant
from evaluation.engine.significance.paired.result import (
    Alternative,
    PairedTest,
    checked_alternative,
    paired_result,
    towards,
)
from evaluation.engine.significance.resamples import N_RESAMPLES, resample_counts, sums_of

Statistic: TypeAlias = Literal["t", "mean"]


def bootstrap_test(
    difference: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    statistic: Statistic = "t",
    n_resamples: int = N_RESAMPLES,
    rng: Rng,
) -> PairedTest:
    """How often resampled differences, shifted to mean 0, are as extreme as `difference`, (n_topics,), itself is.

    Statistic: t = mean / (s / √n) of sample and resamples (Sakai 2006), or the `mean` (Smucker and others 2007).
    p = (c + 1) / (n_resamples + 1). A resample whose values are all equal has an infinite t and counts as extreme on
    its side. All differences 0: p = 1. All equal but not 0: `ValueError`, as nothing varies from resample to resample
    (the randomization test answers there). `ValueError` too for fewer than 2 topics, NaN or infinity.

    Efron and Tibshirani, An Introduction to the Bootstrap, 1993, algorithm 16.2; Sakai, Evaluating evaluation metrics
    based on the bootstrap, SIGIR 2006.
    """
    value, side = checked_values(difference), checked_alternative(alternative)
    if statistic not in ("t", "mean"):
        raise ValueError(f"the statistic is 't' or 'mean', not {statistic!r}")
    if not value.any():
        return paired_result(value, test="bootstrap", alternative=side, statistic=0.0, p=1.0)
    if is_constant(value):
        raise ValueError("all differences are equal, so that resamples do not vary: use randomization")
    count = count_extreme(value[:, None], alternative=side, statistic=statistic, n_resamples=n_resamples, rng=rng)
    mean = float(value.mean())
    return paired_result(
        value,
        test="bootstrap",
        alternative=side,
        statistic=mean if statistic == "mean" else mean / (float(value.std(ddof=1)) / math.sqrt(value.size)),
        p=(int(count[0]) + 1) / (n_resamples + 1),
        n_draws=n_resamples,
    )


def count_extreme(
    difference: Floats, *, alternative: Alternative, statistic: Statistic, n_resamples: int, rng: Rng
) -> Ints:
    """How many resamples are at least as extreme, for each column of (n_topics, n_columns); the columns share them."""
    n_topics, n_columns = difference.shape
    mean = difference.mean(axis=0)
    shifted = centred(difference)
    threshold = towards(mean * n_topics, alternative) - NOISE * np.abs(difference).sum(axis=0)  # a sum over topics
    # t* ≥ t  ⇔  sum* ≥ t · s* √n  =  sum · (s* / s): no division by a deviation of 0
    own_square = (shifted**2).sum(axis=0)
    own_square[own_square == 0] = 1.0  # no difference at all: every resample has the sum 0
    extreme = np.zeros(n_columns, np.int64)
    for count in resample_counts(n_topics, n_resamples=n_resamples, rng=rng, n_columns=n_columns):
        total, square = sums_of(count, shifted)
        limit = threshold if statistic == "mean" else threshold * np.sqrt(square / own_square)
        extreme += (towards(total, alternative) >= limit).sum(axis=0)
    return extreme
