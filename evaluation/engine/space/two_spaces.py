"""Whether two models place the same texts alike."""

import numpy as np

from evaluation.engine.arrays import Ints
from evaluation.engine.space.rows import Vectors, centred


def linear_cka(first: Vectors, second: Vectors) -> float | None:
    """‖YᵀX‖F² / (‖XᵀX‖F ‖YᵀY‖F), columns centred: 1 where one is the other turned and scaled, 0 with nothing shared.

    Both (n_rows, dim), row i being the same text; dimensions may differ. None where all rows of one are equal. With few
    rows and many dimensions it is high for vectors drawn at random, too. Kornblith and others, ICML 2019.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} rows cannot be set beside {len(second)}")
    x, y = centred(first), centred(second)
    scale = float(np.linalg.norm(x.T @ x) * np.linalg.norm(y.T @ y))
    return float(np.linalg.norm(y.T @ x) ** 2 / scale) if scale > 0 else None


def neighbour_overlap(first: Ints, second: Ints) -> float:
    """The mean share of the k nearest that two models have in common; both (n_rows, k), without −1."""
    if first.shape != second.shape or not first.size:
        raise ValueError(f"nearest of shapes {first.shape} and {second.shape} cannot be compared")
    shared = sum(np.intersect1d(a, b).size for a, b in zip(first, second, strict=True))
    return float(shared / first.size)
