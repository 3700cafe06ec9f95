"""Whom the policy believes: the second half of step 2."""

from enum import IntEnum

import numpy as np

from annotation.quality.accuracy import Accuracy
from annotation.quality.arrays import Ints


class Standing(IntEnum):
    """What gold says about a person. Exclusion is a decision of people and stands beside it."""

    UNPROVEN = 0  # too little gold to tell
    RELIABLE = 1
    UNRELIABLE = 2


STANDINGS = {
    Standing.RELIABLE: "reliable",
    Standing.UNPROVEN: "unproven",
    Standing.UNRELIABLE: "unreliable",
}


def standing_of(accuracy: Accuracy, *, min_gold: int, threshold: float) -> Ints:
    """(n_annotators,): a `Standing` each. Fewer than `min_gold` gold judgments, or none at all, is unproven; then
    reliable iff accuracy ≥ `threshold`."""
    proven = accuracy.n_gold >= max(min_gold, 1)
    reliable = np.nan_to_num(accuracy.share) >= threshold
    standing = np.where(reliable, Standing.RELIABLE, Standing.UNRELIABLE)
    return np.where(proven, standing, Standing.UNPROVEN).astype(np.int64)
