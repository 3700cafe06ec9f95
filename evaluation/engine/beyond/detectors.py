"""How suspect vectors are: far from all others."""

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Floats
from evaluation.engine.space.rows import checked

NEIGHBOURS = 10
BLOCK = 1 << 22  # distances held at once


def neighbour_distance(vector: NDArray[np.floating], k: int = NEIGHBOURS) -> Floats:
    """The Euclidean distance of each row (n, dim) to its k-th nearest other row, (n,): far from all others is suspect.

    Raises `ValueError` for k below 1 and for fewer than k + 1 rows. Time grows with n², memory with n.
    Ramaswamy, Rastogi and Shim, Efficient algorithms for mining outliers from large data sets, SIGMOD 2000.
    """
    if k < 1:
        raise ValueError(f"the neighbour is at least the first, not the {k}th")
    row = checked(np.asarray(vector, np.float64), k + 1)
    row = row - row.mean(axis=0)
    square = np.einsum("id,id->i", row, row)
    kth_square = np.empty(len(row))
    step = max(1, BLOCK // len(row))
    for a in range(0, len(row), step):
        distance = square[a : a + step, None] + square - 2 * row[a : a + step] @ row.T
        distance[np.arange(len(distance)), a + np.arange(len(distance))] = -np.inf  # itself, before all others
        kth_square[a : a + step] = np.partition(distance, k, axis=1)[:, k]
    return np.sqrt(np.maximum(kth_square, 0.0))
