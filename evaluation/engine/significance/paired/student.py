"""Student's paired t test."""

import math

from numpy.typing import ArrayLike

from evaluation.engine.significance.inputs import checked_values, is_constant
from evaluation.engine.significance.paired.result import (
    Alternative,
    PairedTest,
    checked_alternative,
    paired_result,
    tails,
)


def paired_t(difference: ArrayLike, *, alternative: Alternative = "two-sided") -> PairedTest:
    """t = mean / (s / √n) of `difference`, (n_topics,), against Student's distribution with n − 1 degrees of freedom.

    s has n − 1. All differences 0: t = 0 and p = 1. All equal but not 0: `ValueError`, as t has no standard error to
    measure by (the randomization test answers there). `ValueError` too for fewer than 2 topics, NaN or infinity.

    Student, The probable error of a mean, Biometrika 6, 1908.
    """
    value, side = checked_values(difference), checked_alternative(alternative)
    if not value.any():
        return paired_result(value, test="t", alternative=side, statistic=0.0, p=1.0)
    if is_constant(value):
        raise ValueError("all differences are equal, so that Student's t has no standard error: use randomization")
    from scipy.special import stdtr

    t = float(value.mean() / (value.std(ddof=1) / math.sqrt(value.size)))
    p = tails(float(stdtr(value.size - 1, t)), float(stdtr(value.size - 1, -t)), side)
    return paired_result(value, test="t", alternative=side, statistic=t, p=p)
