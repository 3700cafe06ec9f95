"""The mean, rounded to a grade: every judgment moves it, the outlier most."""

import numpy as np

from annotation.quality.consolidation.consolidated import TIE, Consolidated, consolidated
from annotation.quality.consolidation.rule import ConsolidationRule, without_gold
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes


def mean_grade(votes: Votes, scale: Scale) -> Consolidated:
    """grade = the one nearest to the mean; halfway between two the lower, as the median rounds down.

    confidence = 1 − mean distance from the mean / half the scale: 1 when all agree, 0 when the votes are split evenly
    between both ends. One vote has confidence 1.
    """
    n = np.maximum(votes.n, 1)
    mean = np.bincount(votes.pair, weights=votes.grade, minlength=votes.n_pairs) / n
    apart = np.abs(votes.grade - mean[votes.pair])
    order = np.lexsort((apart, votes.pair))  # sums of fractions depend on their order, a snapshot must not
    distance = np.bincount(votes.pair[order], weights=apart[order], minlength=votes.n_pairs) / n
    middle = (scale.values[1:] + scale.values[:-1]) / 2  # (n_grades − 1,): where the next grade begins
    grade = scale.values[np.searchsorted(middle + TIE, mean)]
    return consolidated(grade, np.maximum(1 - 2 * distance / (scale.top - scale.bottom), 0.0), votes)


MEAN = ConsolidationRule("mean", "the mean, rounded; halves go down", without_gold(mean_grade))
