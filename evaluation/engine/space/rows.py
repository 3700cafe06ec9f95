"""What several families begin with: rows in float64, centred or of length 1."""

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Floats

Vectors = NDArray[np.float32] | NDArray[np.float64]


def checked(vector: Vectors, least: int = 2) -> Floats:
    """(n_rows, dim) in float64. Raises `ValueError` for fewer than `least` rows, and for what is not finite."""
    if vector.ndim != 2 or len(vector) < least or not vector.shape[1]:
        raise ValueError(f"{least} rows at least are needed; the shape is {vector.shape}")
    exact = np.asarray(vector, np.float64)
    if not np.isfinite(exact).all():
        raise ValueError("a vector holds numbers that are not finite")
    return exact


def centred(vector: Vectors) -> Floats:
    """Without the mean of each column."""
    exact = checked(vector)
    exact = exact - exact[0]  # equal rows become zero, without what rounding leaves of a mean
    return np.asarray(exact - exact.mean(axis=0))


def unit_rows(vector: Vectors, least: int = 2) -> Floats:
    """Each row divided by its length. Raises `ValueError` for a row of zeros, and for fewer than `least` rows."""
    exact = checked(vector, least)
    length = np.linalg.norm(exact, axis=1, keepdims=True)
    if not length.all():
        raise ValueError(f"row {int(np.argmin(length)) + 1} is zero: it has no direction")
    return np.asarray(exact / length)


def variances(vector: Vectors) -> Floats:
    """Eigenvalues of the covariance (n − 1), descending, none below 0. (dim,)"""
    rows = centred(vector)
    value = np.linalg.eigvalsh(rows.T @ rows / (len(rows) - 1))
    return np.clip(value[::-1], 0, None)
