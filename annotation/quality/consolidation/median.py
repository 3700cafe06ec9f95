"""The median grade, the default: ordinal, and one outlier among three does not move it."""

import numpy as np

from annotation.quality.consolidation.consolidated import Consolidated, consolidated
from annotation.quality.consolidation.rule import ConsolidationRule, without_gold
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes, spread_of


def median_grade(votes: Votes, scale: Scale) -> Consolidated:
    """grade = int(median): halves go down, and on a scale with gaps down to the next grade.

    confidence = 1 − (max − min)/(top − bottom): 1 when all agree, 0 when both ends of the scale were given. One vote
    has confidence 1.
    """
    spread = spread_of(votes)
    grade = scale.at_most(np.floor(np.nan_to_num(spread.median)).astype(np.int64))
    return consolidated(grade, 1 - (spread.maximum - spread.minimum) / (scale.top - scale.bottom), votes)


MEDIAN = ConsolidationRule("median", "the median; halves go down", without_gold(median_grade))
