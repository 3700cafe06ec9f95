"""The sign test."""

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.significance.inputs import checked_values
from evaluation.engine.significance.paired.result import (
    Alternative,
    PairedTest,
    checked_alternative,
    paired_result,
    tails,
)


def sign_test(difference: ArrayLike, *, alternative: Alternative = "two-sided") -> PairedTest:
    """Is the first run better as often as worse? Statistic: the number of topics with `difference` > 0.

    Exact against the binomial distribution with ½ over the topics whose difference is not 0; those with 0 are left
    out. None left: p = 1. Two-sided: twice the smaller tail. `difference` is (n_topics,). Raises `ValueError` for
    fewer than 2 topics, NaN or infinity.

    Dixon and Mood, The statistical sign test, JASA 41, 1946; in retrieval: van Rijsbergen, Information Retrieval,
    1979, chapter 7.
    """
    value, side = checked_values(difference), checked_alternative(alternative)
    better, n = int(np.count_nonzero(value > 0)), int(np.count_nonzero(value))
    p = tails(_at_most(better, n), _at_most(n - better, n), side)  # P(X ≥ k) = P(X ≤ n − k)
    return paired_result(value, test="sign", alternative=side, statistic=float(better), p=p, exact=True)


def _at_most(k: int, n: int) -> float:
    """P(X ≤ k) for n throws of a coin."""
    from scipy.special import bdtr

    return 1.0 if k == n else float(bdtr(k, n, 0.5))
