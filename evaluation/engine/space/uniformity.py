"""Uniformity and alignment on the sphere: Wang and Isola, ICML 2020. Lower is better for both."""

from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.space.rows import Vectors, unit_rows

EXACT_ROWS = 5000
PAIRS = 200_000  # drawn where there are more rows
T, ALPHA = 2.0, 2.0
BLOCK = 512


@dataclass(frozen=True)
class Uniformity:
    value: float  # log of the mean of exp(−t |x − y|²) over pairs of different rows
    standard_error: float | None  # of a sample of pairs; None where all pairs were taken


def uniformity(vector: Vectors, rng: np.random.Generator) -> Uniformity:
    """`vector` (n_rows, dim), two rows at least, none zero; t = 2. Exact up to 5000 rows, else of pairs that are drawn.

    Of a sample the standard error is s / (m √n_pairs), m and s being mean and deviation of the exponentials.
    """
    unit = unit_rows(vector)
    if len(unit) > EXACT_ROWS:
        first, second = rng.integers(0, len(unit), (2, PAIRS))
        return uniformity_of_pairs(unit, first, second)
    total = 0.0
    for a in range(0, len(unit), BLOCK):
        square = 2 - 2 * unit[a : a + BLOCK] @ unit.T
        total += float(np.exp(-T * np.clip(square, 0, None)).sum())
    n = len(unit)
    return Uniformity(float(np.log((total - n) / (n * (n - 1)))), None)


def uniformity_of_pairs(vector: Vectors, first: Ints, second: Ints) -> Uniformity:
    """Of the pairs of rows `first[i]`, `second[i]`; pairs of a row with itself are dropped. Raises `ValueError` for
    none."""
    unit, apart = unit_rows(vector), first != second
    if not apart.any():
        raise ValueError("uniformity needs a pair of two different rows")
    value = np.exp(-T * _squares(unit, first[apart], second[apart]))
    error = float(value.std(ddof=1) / value.mean() / np.sqrt(value.size)) if value.size > 1 else None
    return Uniformity(float(np.log(value.mean())), error)


def alignment(vector: Vectors, first: Ints, second: Ints) -> float:
    """The mean of |x − y|^α, α = 2, over pairs of rows that belong together, rows divided by their lengths.

    Raises `ValueError` for no pair.
    """
    if not len(first):
        raise ValueError("alignment needs a pair of rows that belong together")
    return float((_squares(unit_rows(vector), first, second) ** (ALPHA / 2)).mean())


def alignment_of_all(first: Vectors, second: Vectors) -> float:
    """The mean of |x − y|² over all pairs of a row of one and a row of the other, what an alignment is set beside.

    2 − 2 x̄·ȳ, the means of directions; (n, dim) and (m, dim), a row each at least, none zero.
    """
    if first.shape[1:] != second.shape[1:]:
        raise ValueError(f"rows of shapes {first.shape} and {second.shape} cannot be compared")
    return float(2 - 2 * unit_rows(first, 1).mean(axis=0) @ unit_rows(second, 1).mean(axis=0))


def alignment_across(query: Vectors, document: Vectors, first: Ints, second: Ints) -> float:
    """That of pairs of a row of `query` with a row of `document`, such as queries with their relevant documents."""
    used, index = np.unique(second, return_inverse=True)
    return alignment(np.concatenate([query, document[used]]), first, len(query) + index)


def pairs_within(group: Ints, most: int | None = None) -> tuple[Ints, Ints]:
    """All pairs of rows of the same class; of each class only its first `most` rows, if given. (n_pairs,) twice."""
    first, second = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for one in np.unique(group):
        rows = np.nonzero(group == one)[0][:most]
        a, b = np.triu_indices(len(rows), 1)
        first.append(rows[a])
        second.append(rows[b])
    return np.concatenate(first), np.concatenate(second)


def _squares(unit: Floats, first: Ints, second: Ints) -> Floats:
    parts = [
        ((unit[first[a : a + BLOCK]] - unit[second[a : a + BLOCK]]) ** 2).sum(axis=1)
        for a in range(0, len(first), BLOCK)
    ]
    return np.concatenate(parts) if parts else np.zeros(0)
