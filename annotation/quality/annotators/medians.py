"""Medians of many people at once."""

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints

LARGEST = np.iinfo(np.int64).max


def medians(group: Ints, value: Ints | Floats, chosen: Bools, n_groups: int) -> Floats:
    """(n_groups,): the median of the chosen values of each group, by one sort; NaN for a group without any.

    `group`, `value` and `chosen`: (n,) each; that of an even number is the mean of the two in the middle.
    """
    group, value = group[chosen], value[chosen]
    value = _sorted(group, value)
    n = np.bincount(group, minlength=n_groups)
    start = (np.cumsum(n) - n)[n > 0]
    size = n[n > 0]
    median = np.full(n_groups, np.nan)
    median[n > 0] = (value[start + (size - 1) // 2] + value[start + size // 2]) / 2
    return median


def _sorted(group: Ints, value: Ints | Floats) -> Ints | Floats:
    """The values by group and then by size; whole numbers by one key, which is sorted several times faster."""
    if not np.issubdtype(value.dtype, np.integer) or not len(value):
        return value[np.lexsort((value, group))]
    lowest, width = int(value.min()), int(value.max()) - int(value.min()) + 1
    if (int(group.max()) + 1) * width >= LARGEST:
        return value[np.lexsort((value, group))]
    return np.asarray(np.sort(group * width + (value - lowest)) % width + lowest)
