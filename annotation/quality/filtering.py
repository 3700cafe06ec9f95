"""Steps 3 and 4 of the policy: pairs with too few reliable judgments, and pairs on which these are too far apart."""

from enum import IntEnum

import numpy as np

from annotation.quality.arrays import Ints
from annotation.quality.votes import Spread


class Reason(IntEnum):
    """Why a pair is not in the qrels."""

    KEPT = 0
    TOO_FEW = 1
    TOO_FAR_APART = 2
    GOLD_OMITTED = 3
    CHECK = 4
    TIED = 5  # several grades are equally frequent, and the rule makes none of that
    NO_MAJORITY = 6  # no grade has more than half of the judgments
    NO_WEIGHT = 7  # nobody who judged it is better than chance on gold


def filter_pairs(spread: Spread, *, min_judgments: int, max_range: int | None) -> Ints:
    """(n_pairs,): a `Reason` each, from the spread of the reliable grades.

    Kept iff there are at least `min_judgments` of them and max − min ≤ `max_range` (None: no such limit). Differences
    are of the grades' values, so on a scale 0, 2, 4 neighbours are 2 apart.
    """
    few = spread.n < min_judgments
    apart = np.zeros_like(few) if max_range is None else spread.maximum - spread.minimum > max_range
    return np.select([few, apart], [Reason.TOO_FEW, Reason.TOO_FAR_APART], Reason.KEPT).astype(np.int64)
