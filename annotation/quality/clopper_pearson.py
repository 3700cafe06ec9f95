"""The exact interval of a share: C. J. Clopper and E. S. Pearson, The use of confidence or fiducial
limits illustrated in the case of the binomial, Biometrika 26 (1934) 404–413.

It covers the true share at least as often as it says, whatever that is, and is wider than Wilson's
for it: take it where being wrong more often than said would be worse than a wide interval.
"""

import numpy as np

from annotation.quality.arrays import Ints
from annotation.quality.wilson import Interval


def clopper_pearson_interval(correct: Ints, n: Ints, *, confidence: float = 0.95) -> Interval:
    """Interval of `correct / n`, element by element: under the low end so many or more, and under the high end so many
    or fewer, come with probability (1 − confidence) / 2.

    The low end is 0 for none correct, the high end 1 for all; with n = 0 nothing is known: 0 to 1. Raises `ValueError`
    unless 0 ≤ correct ≤ n and 0 < confidence < 1.
    """
    from scipy.special import betaincinv  # noqa: PLC0415 -- a web process starts without scipy

    k, size = np.asarray(correct, dtype=np.float64), np.asarray(n, dtype=np.float64)
    if not 0 < confidence < 1:
        raise ValueError("the confidence lies between 0 and 1")
    if ((k < 0) | (k > size)).any():
        raise ValueError("correct lies between 0 and n")
    tail, wrong = (1 - confidence) / 2, size - k
    low = betaincinv(np.maximum(k, 1), wrong + 1, tail)
    high = betaincinv(k + 1, np.maximum(wrong, 1), 1 - tail)
    return Interval(np.where(k == 0, 0.0, low), np.where(wrong == 0, 1.0, high))
