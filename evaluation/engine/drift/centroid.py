"""How far the centre of the vectors has moved."""

from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Floats


@dataclass(frozen=True)
class CentroidShift:
    """`length` in the unit of the vectors; `relative` to the reference's spread, the root mean squared distance of its
    rows from their centroid (None: all its rows are equal); `cosine` of both centroids (None: one is zero)."""

    length: float
    relative: float | None
    cosine: float | None


def centroid_shift(reference: Floats, window: Floats) -> CentroidShift:
    """Of rows (n, dim) and (m, dim). Drift that keeps the centre, such as a wider spread, does not show."""
    centre, moved = reference.mean(axis=0), window.mean(axis=0)
    length = float(np.linalg.norm(moved - centre))
    spread = float(np.sqrt(np.square(reference - centre).sum(axis=1).mean()))
    scale = float(np.linalg.norm(centre) * np.linalg.norm(moved))
    cosine = float(np.clip(centre @ moved / scale, -1, 1)) if scale > 0 else None
    return CentroidShift(length, length / spread if spread > 0 else None, cosine)
