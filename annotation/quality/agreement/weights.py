"""How much two grades count as agreeing: 1 for the same, less the further they are apart."""

from enum import StrEnum

import numpy as np

from annotation.quality.agreement.counts import distances
from annotation.quality.arrays import Floats, Ints


class Weights(StrEnum):
    """J. Cohen, Weighted kappa, Psychological Bulletin 70 (1968); ordinal: K. L. Gwet, Handbook of Inter-Rater
    Reliability (2014), chapter 3."""

    UNWEIGHTED = "unweighted"  # 1 or 0
    LINEAR = "linear"  # 1 − distance / range
    QUADRATIC = "quadratic"  # 1 − (distance / range)²
    ORDINAL = "ordinal"  # by the number of pairs of grades between the two, both included; the numbers do not matter


def agreement_weights(values: Ints, weights: Weights) -> Floats:
    """(n_grades, n_grades), symmetric, 1 on the diagonal, 0 for the two ends of the scale (`values`, ascending)."""
    if weights is Weights.UNWEIGHTED:
        return np.eye(len(values))
    if weights is Weights.ORDINAL:
        step = distances(np.arange(len(values)))
        between = step * (step + 1) / 2
        return np.asarray(1 - between / max(between.max(), 1))
    apart = distances(values) / max(int(values[-1] - values[0]), 1)
    return np.asarray(1 - (apart if weights is Weights.LINEAR else apart**2))


def beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """(observed − expected) / (1 − expected), element by element; NaN where chance alone explains full agreement."""
    room = 1 - np.asarray(expected, dtype=np.float64)
    possible = room > 1e-12
    return np.asarray(np.where(possible, (observed - expected) / np.where(possible, room, 1), np.nan))
