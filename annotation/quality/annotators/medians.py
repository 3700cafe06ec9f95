"""Medians of many people at once."""

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints


def medians(group: Ints, value: Ints | Floats, chosen: Bools, n_groups: int) -> Floats:
    """(n_groups,): the median of the chosen values of each group, by one sort; NaN for a group without any.

    `group`, `value` and `chosen`: (n,) each; that of an even number is the mean of the two in the middle.
    """
    group, value = group[chosen], value[chosen]
    value = value[np.lexsort((value, group))]
    n = np.bincount(group, minlength=n_groups)
    start = (np.cumsum(n) - n)[n > 0]
    size = n[n > 0]
    median = np.full(n_groups, np.nan)
    median[n > 0] = (value[start + (size - 1) // 2] + value[start + size // 2]) / 2
    return median
