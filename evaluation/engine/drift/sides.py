"""What several statistics of drift begin with: two sides of rows, and permutations of which side a row is of."""

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Bools, Floats, Ints
from evaluation.engine.space.rows import checked

BLOCK = 256  # deals whose numbers are held at once
GREATEST = 1e100  # so that sums of squares are finite
LEAST_ROWS = 10  # of a side: fewer have no distribution to speak of


def pooled(reference: NDArray[np.floating], window: NDArray[np.floating]) -> tuple[Floats, Bools]:
    """`(row, is_window)` of both sides together: (n_reference + n_window, dim) in float64, and (n_rows,).

    Raises `ValueError` for different dimensions, fewer than ten rows of a side, and what is not finite or too large.
    """
    sides = [checked(np.asarray(side, np.float64), LEAST_ROWS) for side in (reference, window)]
    if not max(float(np.abs(side).max()) for side in sides) <= GREATEST:
        raise ValueError(f"numbers are too large: those of a row lie between -{GREATEST:g} and {GREATEST:g}")
    if sides[0].shape[1] != sides[1].shape[1]:
        raise ValueError(f"{sides[0].shape[1]} dimensions cannot be set beside {sides[1].shape[1]}")
    return np.concatenate(sides), np.repeat([False, True], [len(sides[0]), len(sides[1])])


def sample_rows(n_rows: int, most: int, rng: np.random.Generator) -> Ints:
    """Rows of a sample without replacement, ascending; all of them where there are no more than `most`."""
    if n_rows <= most:
        return np.arange(n_rows)
    return np.sort(rng.choice(n_rows, most, replace=False)).astype(np.int64)


def shuffled(is_window: Bools, n_permutations: int, rng: np.random.Generator) -> Bools:
    """(n_rows, 1 + n_permutations): the sides as they are, then dealt anew. A byte each."""
    dealt = rng.permuted(np.repeat(is_window[None], n_permutations, axis=0), axis=1)
    return np.concatenate([is_window[None], dealt]).T


def blocks(n_deals: int) -> list[slice]:
    """Of at most 256 deals: together, in 8 bytes a row and deal, they would be the greatest part of memory."""
    return [slice(first, min(first + BLOCK, n_deals)) for first in range(0, n_deals, BLOCK)]


def permutation_p(value: Floats) -> float:
    """How often a permutation is as extreme as what was observed, `value[0]`, itself counted: never 0.

    Values within rounding of the observed one count as equal to it. Phipson and Smyth, Permutation p-values should
    never be zero, Statistical Applications in Genetics and Molecular Biology 9, 2010.
    """
    return float((value >= value[0] - 1e-12 * max(1.0, abs(float(value[0])))).mean())
