"""A policy's confidence on gold, and what it is worth by a curve that never saw that gold.

Cross-fitted: the curve for a fold is learned on the other folds, whose pairs were in turn decided
with neither fold's gold. Folds are of topics; of pairs where fewer than three topics have judged
gold.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.calibration.curve import Calibrator, fit_calibrator
from annotation.quality.crossfit import N_FOLDS, CrossFit, Dealt, cross_fit, folds_of, found_in, joined, outcome_without
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy

FEWEST_TOPICS = 3  # one fold is decided, one corrected, and the curve is learned on the others


@dataclass(frozen=True, eq=False)
class Calibration:
    """Gold pairs that a policy kept, (n_pairs,) each: its confidence, what that is worth, and whether it was right."""

    confidence: Floats
    probability: Floats  # by the calibrator of the other folds
    right: Bools
    topic: Ints  # codes of the judgment table
    n_gold: int  # gold pairs that judgments could decide, kept or not
    n_folds: int  # with gold; below 3 there is no curve of the others, and probabilities are one half
    dealt: Dealt = "topics"  # to the folds


def calibrate(inputs: Inputs, policy: Policy, *, n_folds: int = N_FOLDS) -> Calibration:
    """Applies the policy once a fold and once for every two. With fewer than three gold pairs there is no gold
    to learn a curve on that judges neither fold: then probabilities are one half."""
    folds = folds_of(inputs, n_folds=n_folds, fewest_topics=FEWEST_TOPICS)
    n = folds.n
    learned: dict[int, list[CrossFit]] = {k: [] for k in range(n)}
    for one, other in combinations(range(n), 2) if n > 2 else ():
        outcome = outcome_without(inputs, policy, folds, {one, other})
        learned[one].append(found_in(inputs, outcome, folds, other))
        learned[other].append(found_in(inputs, outcome, folds, one))
    result = cross_fit(inputs, policy, folds)
    probability = np.full(len(result), 0.5)
    for k, parts in learned.items():
        at = result.fold == k
        probability[at] = _calibrator_of(joined(parts)).probability(result.confidence[at])
    kept = result.kept
    return Calibration(
        result.confidence[kept],
        probability[kept],
        result.right[kept],
        result.topic[kept],
        n_gold=len(result),
        n_folds=n,
        dealt=folds.by,
    )


def _calibrator_of(cross_fit: CrossFit) -> Calibrator:
    return fit_calibrator(cross_fit.confidence[cross_fit.kept], cross_fit.right[cross_fit.kept])
