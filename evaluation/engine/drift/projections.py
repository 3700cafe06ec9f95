"""Drift seen from random directions: sliced Wasserstein distance, Kolmogorov–Smirnov tests and PSI of projections."""

import math

import numpy as np

from evaluation.engine.arrays import Floats

BINS = 10  # of PSI: tenths of the reference


def directions(dim: int, n: int, rng: np.random.Generator) -> Floats:
    """(dim, n) of length 1, uniform on the sphere; in one dimension there is one, the axis itself."""
    if dim == 1:
        return np.ones((1, 1))
    drawn = rng.standard_normal((dim, n))
    return np.asarray(drawn / np.linalg.norm(drawn, axis=0))


def wasserstein(first: Floats, second: Floats) -> float:
    """The area between two distribution functions, of values (n,) and (m,), in their unit: scipy's
    `wasserstein_distance`."""
    every = np.sort(np.concatenate([first, second]))
    share = [np.searchsorted(np.sort(side), every[:-1], side="right") / side.size for side in (first, second)]
    return float(np.abs(share[0] - share[1]) @ np.diff(every))


def sliced_wasserstein(first: Floats, second: Floats) -> float:
    """The mean over projections, (n, n_directions) and (m, n_directions), of the Wasserstein distance of order 1.

    Bonneel and others, Sliced and Radon Wasserstein barycenters of measures, Journal of Mathematical Imaging and
    Vision 51, 2015. It shrinks as dimensions grow: compare it within one model.
    """
    return float(np.mean([wasserstein(a, b) for a, b in zip(first.T, second.T, strict=True)]))


def ks_test(first: Floats, second: Floats) -> tuple[float, float]:
    """`(D, p)`: the greatest difference of two distribution functions, of values (n,) and (m,), and its two-sided p by
    Kolmogorov's limit, which is a little too large for few values and for ties.

    Smirnov, Annals of Mathematical Statistics 19, 1948.
    """
    from scipy.special import kolmogorov

    every = np.concatenate([first, second])
    share = [np.searchsorted(np.sort(side), every, side="right") / side.size for side in (first, second)]
    greatest = float(np.abs(share[0] - share[1]).max())
    return greatest, float(kolmogorov(math.sqrt(first.size * second.size / every.size) * greatest))


def psi(reference: Floats, window: Floats, bins: int = BINS) -> float:
    """Population stability index: Σ (q − p) ln(q / p) over tenths of the reference; half a row is added to each bin, so
    that an empty one is not infinite. Equal values share a bin.

    Without drift it is near (bins − 1)(1/n + 1/m): Yurdakul and Naranjo, Statistical properties of the population
    stability index, Journal of Risk Model Validation 14, 2020.
    """
    edge = np.unique(np.quantile(reference, np.arange(1, bins) / bins))
    count = [np.bincount(np.searchsorted(edge, side), minlength=edge.size + 1) + 0.5 for side in (reference, window)]
    p, q = (each / each.sum() for each in count)
    return float((q - p) @ np.log(q / p))


def psi_without_drift(n_reference: int, n_window: int, bins: int = BINS) -> float:
    """What PSI comes to on average where nothing has drifted."""
    return (bins - 1) * (1 / n_reference + 1 / n_window)
