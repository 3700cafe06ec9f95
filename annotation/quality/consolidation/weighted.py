"""A vote in which people weigh as much as their accuracy on gold warrants.

If people err independently, each is right with a known probability q and wrong grades are equally
likely, the best weight of a vote is log(q (G − 1) / (1 − q)): S. Nitzan and J. Paroush,
International Economic Review 23 (1982) 289–297, for G = 2 grades.
"""

import numpy as np

from annotation.quality.arrays import Floats, Ints
from annotation.quality.consolidation.consolidated import DIGITS, TIE, Consolidated, Known, consolidated
from annotation.quality.consolidation.rule import ConsolidationRule
from annotation.quality.filtering import Reason
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes

UNKNOWN = 0.7  # accuracy taken where there is no gold at all: then all weigh alike


def smoothed_accuracy(n_correct: Ints, n_gold: Ints, *, k: float = 0.5) -> Floats:
    """(k + correct) / (2 k + total): never 0 or 1, and 0.5 for nobody knows."""
    return np.asarray((k + n_correct) / (2 * k + n_gold), dtype=np.float64)


def weighted_grade(votes: Votes, scale: Scale, known: Known) -> Consolidated:
    """grade = the most probable one given everybody's accuracy, of equally probable ones the lowest; confidence = its
    probability, all grades being equally likely before.

    Accuracy is smoothed. People without gold weigh as everybody together; without any gold all weigh alike. Somebody
    no better than chance weighs nothing; a pair that only such people judged has no grade: `Reason.NO_WEIGHT`.
    """
    n_grades = len(scale.grades)
    weight = _weights(votes, n_grades, known)[votes.annotator]
    order = np.lexsort((weight, votes.pair))
    cell = (votes.pair * n_grades + scale.index_of(votes.grade))[order]
    total = np.bincount(cell, weights=weight[order], minlength=votes.n_pairs * n_grades).reshape(-1, n_grades)
    best = total.max(axis=1)
    first = (total >= best[:, None] - TIE).argmax(axis=1)
    confidence = 1 / np.exp(total - best[:, None]).sum(axis=1)
    by_weight = consolidated(scale.values[first], np.round(confidence, DIGITS), votes)
    unknown = (best <= 0) & (by_weight.reason == Reason.KEPT)
    reason = np.where(unknown, Reason.NO_WEIGHT, by_weight.reason).astype(np.int64)
    return Consolidated(by_weight.grade, np.where(unknown, 0.0, by_weight.confidence), reason)


def _weights(votes: Votes, n_grades: int, known: Known) -> Floats:
    """(n_annotators,), none below 0."""
    n_annotators = max(int(votes.annotator.max(initial=-1)) + 1, len(known.n_gold))
    n_gold, n_correct = np.zeros((2, n_annotators), dtype=np.int64)
    n_gold[: len(known.n_gold)], n_correct[: len(known.n_gold)] = known.n_gold, known.n_correct
    everybody = smoothed_accuracy(n_correct.sum(), n_gold.sum()) if n_gold.any() else UNKNOWN
    q = np.where(n_gold > 0, smoothed_accuracy(n_correct, n_gold), everybody)
    return np.asarray(np.maximum(np.log(q * (n_grades - 1) / (1 - q)), 0.0))


ACCURACY_WEIGHTED = ConsolidationRule(
    "accuracy_weighted",
    "a vote weighted by accuracy on gold; ties go to the lowest",
    weighted_grade,
    weighs_errors=True,
)
