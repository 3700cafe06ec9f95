"""Topics drawn anew: the judgments stay as they are."""

import math

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.sensitivity.shares.share import Share, share_above
from evaluation.engine.significance.inputs import Rng, checked_values, deviation
from evaluation.engine.significance.resamples import resampled_t


def share_by_topics(difference: Floats, *, n_draws: int, rng: Rng) -> Share:
    """From the difference on each topic, (n_topics,), first run minus second.

    A draw is mean − t* · s/√n, with t* of topics drawn with replacement, each draw by its own standard error: plain
    means of such draws scatter too little for few topics. Fewer than two topics: refused in words.

    Efron, Nonparametric standard errors and confidence intervals, Canadian Journal of Statistics 9, 1981 (bootstrap t).
    """
    if difference.size < 2:
        return Share("topics", None, refusal="one topic says nothing of how topics differ")
    column = checked_values(difference)[:, None]
    mean, error = float(column.mean()), float(deviation(column)[0]) / math.sqrt(difference.size)
    if error == 0:
        return Share("topics", share_above(np.array([mean])), 0.0)
    t = resampled_t(column, n_resamples=n_draws, rng=rng)[:, 0]
    return Share("topics", share_above(mean - t * error), error, n_draws)
