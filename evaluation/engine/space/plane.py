"""Rows in the plane: the two directions of largest variance. Pearson, On lines and planes of closest fit, 1901."""

from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.space.rows import Vectors, centred


@dataclass(frozen=True, eq=False)
class Plane:
    place: Floats  # (n_rows, 2)
    share: tuple[float, float]  # of the variance of all rows in each direction; 0 where all rows are equal


def plane(vector: Vectors) -> Plane:
    """`vector` (n_rows, dim), two rows at least; with one dimension the second is 0.

    An axis points to where its largest component is positive, so that the same rows give the same picture.
    """
    rows = centred(vector)
    value, direction = np.linalg.eigh(rows.T @ rows)
    axes = direction[:, ::-1][:, :2]  # (dim, at most 2)
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    total = float(np.clip(value, 0, None).sum())
    shares = [float(max(one, 0.0)) / total if total > 0 else 0.0 for one in value[::-1][:2]]
    place, missing = rows @ axes, 2 - axes.shape[1]
    place = np.pad(place, ((0, 0), (0, missing)))
    return Plane(place, (shares[0], shares[1] if len(shares) > 1 else 0.0))
