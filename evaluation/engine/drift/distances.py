"""MMD and energy distance: both weigh the distances within the sides against those between them."""

from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Bools, Floats
from evaluation.engine.drift.sides import blocks, permutation_p
from evaluation.engine.space.rows import centred


@dataclass(frozen=True)
class Tested:
    """A statistic with the p value of its permutations, one-sided: large is drift."""

    value: float
    p: float


def distances(row: Floats) -> Floats:
    """Euclidean, (n_rows, n_rows), of rows (n_rows, dim); the diagonal is 0."""
    centre = centred(row)
    square = np.einsum("id,id->i", centre, centre)
    distance: Floats = centre @ centre.T
    distance *= -2
    distance += square[:, None]
    distance += square
    np.fill_diagonal(distance, 0)
    np.maximum(distance, 0, out=distance)
    np.sqrt(distance, out=distance)
    return distance


def bandwidth(distance: Floats) -> float:
    """The median of the distances above 0 between different rows; 1 where all rows are equal.

    Gretton and others, A kernel two-sample test, JMLR 13, 2012, section 8.
    """
    above = distance[np.triu_indices(len(distance), 1)]
    above = above[above > 0]
    return float(np.median(above)) if above.size else 1.0


def mmd(distance: Floats, dealt: Bools) -> Tested:
    """Squared maximum mean discrepancy with the kernel exp(−d² / 2σ²), σ the median distance: unbiased, so that it may
    be below 0.

    `distance` (n_rows, n_rows); `dealt` (n_rows, 1 + n_permutations) says which rows are the window's, first as it is.
    Gretton and others, A kernel two-sample test, JMLR 13, 2012, lemma 6.
    """
    kernel = np.exp(-np.square(distance) / (2 * bandwidth(distance) ** 2))
    np.fill_diagonal(kernel, 0)
    within, between, other = _sums(kernel, dealt)
    n = int(dealt[:, 0].sum())
    m = len(dealt) - n
    value = within / (n * (n - 1)) + other / (m * (m - 1)) - 2 * between / (m * n)
    return Tested(float(value[0]), permutation_p(value))


def energy_distance(distance: Floats, dealt: Bools) -> Tested:
    """√(2 E‖X − Y‖ − E‖X − X′‖ − E‖Y − Y′‖), in the unit of the vectors; 0 where both sides are the same rows.

    Arguments as `mmd`. In one dimension it is scipy's `energy_distance`. Székely and Rizzo, Energy statistics, Journal
    of Statistical Planning and Inference 143, 2013.
    """
    within, between, other = _sums(distance, dealt)
    n = int(dealt[:, 0].sum())
    m = len(dealt) - n
    square = 2 * between / (m * n) - within / n**2 - other / m**2
    unit = float(distance.mean()) or 1.0  # so that p is the same in any unit of the rows
    return Tested(float(np.sqrt(max(square[0], 0))), permutation_p(square / unit))


def _sums(matrix: Floats, dealt: Bools) -> tuple[Floats, Floats, Floats]:
    """Of a symmetric matrix, for each deal: sums within the window, between the sides, within the reference."""
    of_row, within, each = matrix.sum(axis=1), np.empty(dealt.shape[1]), np.empty(dealt.shape[1])
    for part in blocks(dealt.shape[1]):
        is_window = dealt[:, part].astype(np.float64)
        within[part] = np.einsum("ip,ip->p", is_window, matrix @ is_window)
        each[part] = of_row @ is_window
    between = each - within
    return within, between, matrix.sum() - within - 2 * between
