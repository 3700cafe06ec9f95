"""The curve from a confidence to how often somebody so confident is right: Platt's logistic.

J. Platt, Probabilistic Outputs for Support Vector Machines (1999), with his targets, on the log odds of the confidence.
"""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Bools, Floats

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


def fit_calibrator(confidence: Floats, right: Bools) -> Calibrator:
    """The curve of greatest likelihood, slope not below 0; with no gold at all, one half whatever the confidence."""
    x = np.stack([_log_odds(confidence), np.ones(len(confidence))])  # (2, n)
    n_right = int(right.sum())
    target = np.where(right, (n_right + 1) / (n_right + 2), 1 / (len(right) - n_right + 2))
    theta = _newton(x, target, np.array([True, True]))
    if theta[0] < 0:
        theta = _newton(x, target, np.array([False, True]))
    return Calibrator(float(theta[0]), float(theta[1]))


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
