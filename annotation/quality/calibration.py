"""What a confidence is worth: how often a policy that is so confident is right, learned on gold.

The logistic curve of J. Platt, Probabilistic Outputs for Support Vector Machines (1999), with his targets, on the log
odds of the confidence. Cross-fitted by topic: the curve for a fold is learned on the other folds, whose pairs were in
turn decided with neither fold's gold.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.crossfit import N_FOLDS, CrossFit, cross_fit, folds_of, found_in, joined, outcome_without
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy

NEAREST = 1e-3  # to 0 and 1: a confidence of 1 has finite odds
NEWTON_STEPS = 50


@dataclass(frozen=True)
class Calibrator:
    """Probability of being right = 1 / (1 + exp(−slope · log odds − offset)). Never falls with the confidence."""

    slope: float
    offset: float

    def probability(self, confidence: Floats) -> Floats:
        """(n,) → (n,)."""
        return np.asarray(1 / (1 + np.exp(-self.slope * _log_odds(confidence) - self.offset)))


@dataclass(frozen=True, eq=False)
class Calibration:
    """Gold pairs that a policy kept, (n_pairs,) each: how sure it said it was, what that is worth, and the truth."""

    confidence: Floats
    probability: Floats  # by the calibrator of the other folds
    right: Bools
    topic: Ints  # codes of the judgment table
    n_gold: int  # gold pairs that judgments could decide, kept or not
    n_folds: int  # with gold; below 3 there is no curve of the others, and probabilities are one half


def fit_calibrator(confidence: Floats, right: Bools) -> Calibrator:
    """The curve of greatest likelihood, slope not below 0; with no gold at all, one half whatever the confidence."""
    x = np.stack([_log_odds(confidence), np.ones(len(confidence))])  # (2, n)
    n_right = int(right.sum())
    target = np.where(right, (n_right + 1) / (n_right + 2), 1 / (len(right) - n_right + 2))
    theta = _newton(x, target, np.array([True, True]))
    if theta[0] < 0:
        theta = _newton(x, target, np.array([False, True]))
    return Calibrator(float(theta[0]), float(theta[1]))


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
    found = cross_fit(inputs, policy, n_folds=n_folds)
    probability = np.full(len(found), 0.5)
    for k, parts in learned.items():
        at = found.fold == k
        probability[at] = _calibrator_of(joined(parts)).probability(found.confidence[at])
    kept = found.kept
    return Calibration(
        found.confidence[kept], probability[kept], found.right[kept], found.topic[kept], n_gold=len(found), n_folds=n
    )


def _calibrator_of(found: CrossFit) -> Calibrator:
    return fit_calibrator(found.confidence[found.kept], found.right[found.kept])


def _newton(x: Floats, target: Floats, free: Bools) -> Floats:
    theta = np.zeros(2)
    z = x[free]
    for _ in range(NEWTON_STEPS):
        p = 1 / (1 + np.exp(-np.clip(theta @ x, -30, 30)))
        hessian = (z * (p * (1 - p))) @ z.T + 1e-6 * np.eye(len(z))
        change = np.clip(np.linalg.solve(hessian, z @ (target - p)), -1, 1)
        theta[free] += change
        if np.abs(change).max() < 1e-10:
            break
    return theta


def _log_odds(confidence: Floats) -> Floats:
    p = np.clip(confidence, NEAREST, 1 - NEAREST)
    return np.asarray(np.log(p / (1 - p)))
