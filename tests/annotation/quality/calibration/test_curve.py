"""The calibration curve is the one of greatest likelihood: against scipy's BFGS, over a grid of drawn cases."""

import numpy as np
import pytest
from scipy.optimize import minimize

from annotation.quality.arrays import Bools, Floats
from annotation.quality.calibration import fit_calibrator


def loss(theta: Floats, x: Floats, target: Floats) -> float:
    odds = theta[0] * x + theta[1]
    return float((np.logaddexp(0, odds) - target * odds).mean())


def best(confidence: Floats, right: Bools) -> tuple[Floats, Floats, Floats]:
    """`(theta, x, target)`: scipy's optimum on the same targets, slope not below 0, on centred log odds."""
    p = np.clip(confidence, 1e-3, 1 - 1e-3)
    x, n = np.log(p / (1 - p)), int(right.sum())
    target = np.where(right, (n + 1) / (n + 2), 1 / (len(right) - n + 2))
    z = (x - x.mean()) / x.std()
    theta = minimize(loss, np.zeros(2), (z, target), method="BFGS", options={"gtol": 1e-9}).x
    if theta[0] < 0:
        theta = np.array([0.0, np.log(target.mean() / (1 - target.mean()))])
    return theta, z, target


def of_two(*groups: tuple[int, float, int]) -> tuple[Floats, Bools]:
    """`(n, confidence, right)` each."""
    confidence = np.concatenate([np.full(n, value) for n, value, _ in groups])
    return confidence, np.concatenate([np.arange(n) < n_right for n, _, n_right in groups])


def drawn(seed: int, n: int, nearest: float, share: str) -> tuple[Floats, Bools]:
    rng = np.random.default_rng(seed)
    confidence = 1 - (1 - nearest) * rng.random(n) ** rng.choice([1, 3, 9])
    confidence[rng.random(n) < rng.choice([0.0, 0.5, 0.9])] = 1.0
    right = {
        "holds": rng.random(n) < confidence,
        "half": rng.random(n) < 0.5,
        "separable": confidence > np.median(confidence),
        "turned": confidence <= np.median(confidence),
        "all": np.ones(n, dtype=np.bool_),
    }
    return confidence, right[share]


@pytest.mark.parametrize(
    "groups",
    [((300, 1.0, 270), (10, 0.997, 6)), ((40, 1.0, 34), (2, 0.99, 0)), ((11, 1.0, 11), (1, 0.6, 0))],
)
def test_two_confidences(groups: tuple[tuple[int, float, int], ...]) -> None:
    """The curve goes through the mean target of each, whatever lies between. Steps cut to a length end short of it in
    the first two cases; whole steps lead away without end in the last.
    """
    confidence, right = of_two(*groups)
    _, _, target = best(confidence, right)
    probability = fit_calibrator(confidence, right).probability(confidence)
    for value in set(confidence.tolist()):
        at = confidence == value
        assert probability[at] == pytest.approx(target[at].mean(), abs=1e-6)


@pytest.mark.parametrize("share", ["holds", "half", "separable", "turned", "all"])
@pytest.mark.parametrize("nearest", [0.0, 0.3, 0.9, 0.99])
@pytest.mark.parametrize("n", [3, 20, 60, 600])
def test_against_scipy(n: int, nearest: float, share: str) -> None:
    for seed in range(5):
        confidence, right = drawn(seed, n, nearest, share)
        if np.ptp(np.clip(confidence, 1e-3, 1 - 1e-3)) == 0:
            continue
        theta, z, target = best(confidence, right)
        curve = fit_calibrator(confidence, right)
        probability = curve.probability(confidence)
        assert probability == pytest.approx(1 / (1 + np.exp(-theta[0] * z - theta[1])), abs=2e-4)
        p = np.clip(confidence, 1e-3, 1 - 1e-3)
        assert loss(np.array([curve.slope, curve.offset]), np.log(p / (1 - p)), target) <= loss(theta, z, target) + 1e-9


@pytest.mark.parametrize(("n_right", "slope"), [(18, True), (2, False)])
def test_where_all_are_equally_sure_the_curve_says_the_share_right(n_right: int, slope: bool) -> None:
    confidence, right = of_two((20, 1.0, n_right))
    curve = fit_calibrator(confidence, right)
    assert curve.probability(confidence) == pytest.approx(best_mean(right))
    assert (curve.slope > 0) == slope


def best_mean(right: Bools) -> float:
    n = int(right.sum())
    return float((n * (n + 1) / (n + 2) + (len(right) - n) / (len(right) - n + 2)) / len(right))


def test_without_gold_it_is_one_half() -> None:
    none = fit_calibrator(np.zeros(0), np.zeros(0, dtype=np.bool_))
    assert none.probability(np.array([0.0, 0.7, 1.0])).tolist() == [0.5, 0.5, 0.5]
