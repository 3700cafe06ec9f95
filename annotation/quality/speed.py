"""How fast people work."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Speed:
    """(n_annotators,) each; milliseconds. NaN where a person has no recorded time."""

    n: Ints  # judgments with a wall time
    median_wall_ms: Floats
    median_active_ms: Floats
    share_below: Floats  # of judgments with a wall time, those faster than the minimum time, 0..1


def annotator_speed(annotator: Ints, wall_ms: Ints, active_ms: Ints, *, n_annotators: int, minimum_ms: int) -> Speed:
    """Columns of equal length, one row a judgment; a time below 0 is not recorded and left out.

    Which rows to give is the caller's choice; first revisions tell most, since a correction takes a second. A judgment
    that takes exactly the minimum is not below it.
    """
    timed = wall_ms >= 0
    n = np.bincount(annotator[timed], minlength=n_annotators).astype(np.int64)
    fast = np.bincount(annotator[timed & (wall_ms < minimum_ms)], minlength=n_annotators)
    share = np.full(n_annotators, np.nan)
    np.divide(fast, n, out=share, where=n > 0)
    return Speed(
        n,
        medians(annotator, wall_ms, timed, n_annotators),
        medians(annotator, active_ms, active_ms >= 0, n_annotators),
        share,
    )


def medians(group: Ints, value: Ints | Floats, chosen: Bools, n_groups: int) -> Floats:
    """(n_groups,): the median of the chosen values of each group, by one sort."""
    group, value = group[chosen], value[chosen]
    value = value[np.lexsort((value, group))]
    n = np.bincount(group, minlength=n_groups)
    start = (np.cumsum(n) - n)[n > 0]
    size = n[n > 0]
    median = np.full(n_groups, np.nan)
    median[n > 0] = (value[start + (size - 1) // 2] + value[start + size // 2]) / 2
    return median
