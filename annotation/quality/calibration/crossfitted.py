"""A policy's confidence on gold, and what it is worth by a curve that never saw that gold.

Cross-fitted by topic: the curve for a fold is learned on the other folds, whose pairs were in turn decided with neither
fold's gold.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.calibration.curve import Calibrator, fit_calibrator
from annotation.quality.crossfit import N_FOLDS, CrossFit, cross_fit, folds_of, found_in, joined, outcome_without
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy


@dataclass(frozen=True, eq=False)
class Calibration:
    """Gold pairs that a policy kept, (n_pairs,) each: its confidence, what that is worth, and whether it was right."""

    confidence: Floats
    probability: Floats  # by the calibrator of the other folds
    right: Bools
    topic: Ints  # codes of the judgment table
    n_gold: int  # gold pairs that judgments could decide, kept or not
    n_folds: int  # with gold; below 3 there is no curve of the others, and probabilities are one half


def calibrate(inputs: Inputs, policy: Policy, *, n_folds: int = N_FOLDS) -> Calibration:
    """Applies the policy once a fold and once for every two. With fewer than three topics with gold there is no gold
    to learn a curve on that judges neither fold: then probabilities are one half."""
    fold = folds_of(inputs, n_folds=n_folds)
    n = int(fold.max(initial=-1)) + 1
    learned: dict[int, list[CrossFit]] = {k: [] for k in range(n)}
    for one, other in combinations(range(n), 2) if n > 2 else ():
        outcome = outcome_without(inputs, policy, fold, {one, other})
        learned[one].append(found_in(inputs, outcome, fold, other))
        learned[other].append(found_in(inputs, outcome, fold, one))
    result = cross_fit(inputs, policy, n_folds=n_folds)
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
    )


def _calibrator_of(cross_fit: CrossFit) -> Calibrator:
    return fit_calibrator(cross_fit.confidence[cross_fit.kept], cross_fit.right[cross_fit.kept])
