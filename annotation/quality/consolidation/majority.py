"""The most frequent grade, in three readings of what to do where none stands out."""

import numpy as np

from annotation.quality.arrays import Bools
from annotation.quality.consolidation.consolidated import Consolidated, consolidated
from annotation.quality.consolidation.rule import ConsolidationRule, without_gold
from annotation.quality.filtering import Reason
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes, grade_counts


def majority_grade(votes: Votes, scale: Scale) -> Consolidated:
    """grade = the one most often given; of several equally frequent ones the lowest, as the median rounds down.

    confidence = its share of the votes.
    """
    counts = grade_counts(votes, scale)  # (n_pairs, n_grades)
    first = counts.argmax(axis=1)  # the first maximum is the lowest grade
    share = counts.max(axis=1) / np.maximum(counts.sum(axis=1), 1)
    return consolidated(scale.values[first], share, votes)


def plurality_grade(votes: Votes, scale: Scale) -> Consolidated:
    """As `majority_grade`, but where several grades are equally frequent there is none: `Reason.TIED`."""
    counts = grade_counts(votes, scale)
    tied = (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) > 1
    return _without(majority_grade(votes, scale), tied, Reason.TIED)


def strict_majority_grade(votes: Votes, scale: Scale) -> Consolidated:
    """As `majority_grade`, but a grade needs more than half of the votes: `Reason.NO_MAJORITY`. It cannot be tied."""
    counts = grade_counts(votes, scale)
    short = 2 * counts.max(axis=1) <= counts.sum(axis=1)
    return _without(majority_grade(votes, scale), short, Reason.NO_MAJORITY)


def _without(majority: Consolidated, undecided: Bools, reason: Reason) -> Consolidated:
    undecided = undecided & (majority.reason == Reason.KEPT)
    return Consolidated(
        majority.grade,
        np.where(undecided, 0.0, majority.confidence),
        np.where(undecided, reason, majority.reason).astype(np.int64),
    )


MAJORITY = ConsolidationRule("majority", "the most frequent grade; ties go to the lowest", without_gold(majority_grade))
PLURALITY = ConsolidationRule("plurality", "the most frequent grade; ties have none", without_gold(plurality_grade))
STRICT_MAJORITY = ConsolidationRule(
    "strict_majority", "the grade with more than half; else none", without_gold(strict_majority_grade)
)
