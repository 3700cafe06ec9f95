"""The curve from a confidence to how often somebody so confident is right: Platt's logistic.

J. Platt, Probabilistic Outputs for Support Vector Machines (1999), with his targets, on the log
odds of the confidence.
"""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Bools, Floats

NEAREST = 1e-3  # to 0 and 1: a confidence of 1 has finite odds
NEWTON_STEPS = 100
NEAR = 1e-10  # steps so small end the search
FLAT = 1e-9  # spread of the log odds under which all confidences are the same


@dataclass(frozen=True)
class Calibrator:
    """Probability of being right = 1 / (1 + exp(−slope · log odds − offset)). Never falls with the confidence."""

    slope: float
    offset: float

    def probability(self, confidence: Floats) -> Floats:
        """(n,) → (n,)."""
        return _share(self.slope * _log_odds(confidence) + self.offset)


def fit_calibrator(confidence: Floats, right: Bools) -> Calibrator:
    """The curve of greatest likelihood, slope not below 0. Where all confidences are one and the same, of all such
    curves the one nearest to 0; with no gold at all, one half whatever the confidence."""
    if not len(right):
        return Calibrator(0.0, 0.0)
    n_right = int(right.sum())
    target = np.where(right, (n_right + 1) / (n_right + 2), 1 / (len(right) - n_right + 2))
    x, level = _log_odds(confidence), _log_odds_of(target.mean())
    middle, spread = x.mean(), x.std()
    if spread < FLAT:
        slope = level * middle / (middle**2 + 1)
        return Calibrator(slope, level / (middle**2 + 1)) if slope > 0 else Calibrator(0.0, level)
    slope, offset = _newton((x - middle) / spread, target, level).tolist()
    slope /= spread
    return Calibrator(slope, offset - slope * middle) if slope > 0 else Calibrator(0.0, level)


def _newton(x: Floats, target: Floats, level: float) -> Floats:
    """(slope, offset) on centred log odds, from the flat curve on. A full step may lead too far: it is halved until
    the likelihood rises. It has one peak, since no target is 0 or 1."""
    z = np.stack([x, np.ones(len(x))])  # (2, n)
    theta = np.array([0.0, level])
    for _ in range(NEWTON_STEPS):
        p = _share(theta @ z)
        gradient = z @ (target - p)
        step = np.linalg.lstsq((z * (p * (1 - p))) @ z.T, gradient)[0]
        height = _log_likelihood(theta @ z, target)
        while _log_likelihood((theta + step) @ z, target) < height and np.abs(step).max() > NEAR:
            step = step / 2
        theta = theta + step
        if np.abs(step).max() <= NEAR:
            break
    return theta


def _log_likelihood(odds: Floats, target: Floats) -> float:
    """Of log odds (n,)."""
    return float((target * odds - np.logaddexp(0, odds)).sum())


def _share(odds: Floats) -> Floats:
    """Log odds (n,) → probabilities."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -700, 700))))


def _log_odds_of(p: float) -> float:
    return float(np.log(p / (1 - p)))


def _log_odds(confidence: Floats) -> Floats:
    p = np.clip(confidence, NEAREST, 1 - NEAREST)
    return np.asarray(np.log(p / (1 - p)))
