"""Rows in k groups: Lloyd's k-means (1982), begun by k-means++ (Arthur and Vassilvitskii, SODA 2007)."""

import numpy as np

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.space.rows import Vectors, unit_rows

ROUNDS = 100


def clusters(vector: Vectors, k: int, rng: np.random.Generator) -> Ints:
    """The group of each row by its direction, 0 being the largest. (n_rows,)

    `vector` (n_rows, dim), none zero, two rows at least. Fewer groups than k where there are fewer different rows. What
    is found depends on the draw: groups are for looking at, and prove nothing.
    """
    if k < 1:
        raise ValueError(f"k is at least 1, not {k}")
    unit = unit_rows(vector)
    centre = _begun(unit, k, rng)
    group = _nearest(unit, centre)
    for _ in range(ROUNDS):
        centre = np.stack([unit[group == one].mean(axis=0) for one in np.unique(group)])
        again = _nearest(unit, centre)
        if (again == group).all():
            break
        group = again
    return _largest_first(group)


def _begun(unit: Floats, k: int, rng: np.random.Generator) -> Floats:
    """Rows far from each other: each with a probability as the square of its distance to those chosen."""
    chosen = [int(rng.integers(len(unit)))]
    while len(chosen) < k:
        square = _squares(unit, unit[chosen]).min(axis=1)
        square[square < 1e-12] = 0.0  # what rounding leaves of equal rows
        if not square.any():
            break
        chosen.append(int(rng.choice(len(unit), p=square / square.sum())))
    return unit[chosen]


def _nearest(unit: Floats, centre: Floats) -> Ints:
    return np.asarray(_squares(unit, centre).argmin(axis=1), np.int64)


def _squares(unit: Floats, centre: Floats) -> Floats:
    square = (centre**2).sum(axis=1) - 2 * unit @ centre.T + (unit**2).sum(axis=1)[:, None]
    return np.asarray(np.clip(square, 0, None))


def _largest_first(group: Ints) -> Ints:
    name, first, index, count = np.unique(group, return_index=True, return_inverse=True, return_counts=True)
    order = np.lexsort((first, -count))
    ordinal = np.empty(len(name), np.int64)
    ordinal[order] = np.arange(len(name))
    return ordinal[index]
