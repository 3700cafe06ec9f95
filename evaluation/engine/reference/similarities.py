"""How alike two models score the same pairs: Spearman's ρ, Kendall's τ-b, mean absolute error."""

import math

import numpy as np

from evaluation.engine.arrays import Floats, Ints

NAMES = ("Spearman", "Kendall", "MAE")


def spearman(first: Floats, second: Floats) -> float:
    """Pearson's correlation of the ranks, equal values sharing their mean rank. (n_pairs,) each.

    NaN where all values of one side are equal. Spearman, American Journal of Psychology 15, 1904.
    """
    a, b = (_ranks(side) - (side.size + 1) / 2 for side in (first, second))
    scale = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / scale if scale > 0 else math.nan


def kendall(first: Floats, second: Floats) -> float:
    """τ-b, as `significance.correlation` has it, in n log² n steps: for many pairs.

    NaN where all values of one side are equal. Knight, JASA 61, 1966, counts discordant pairs while sorting.
    """
    order = np.lexsort((second, first))
    a, b = (np.unique(side[order], return_inverse=True)[1] for side in (first, second))
    n = first.size
    pairs, tied_a, tied_b = n * (n - 1) // 2, _tied(a), _tied(b)
    difference = pairs - tied_a - tied_b + _tied(a * n + b) - 2 * _inversions(b)
    scale = math.sqrt(pairs - tied_a) * math.sqrt(pairs - tied_b)
    return difference / scale if scale > 0 else math.nan


def mean_absolute_error(first: Floats, second: Floats) -> float:
    return float(np.abs(first - second).mean())


def likeness(first: Floats, second: Floats) -> list[float]:
    """In the order of `NAMES`."""
    return [spearman(first, second), kendall(first, second), mean_absolute_error(first, second)]


def _ranks(value: Floats) -> Floats:
    _, index, count = np.unique(value, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2)[index])


def _tied(value: Ints) -> int:
    """How many pairs have equal values."""
    count = np.unique(value, return_counts=True)[1]
    return int((count * (count - 1) // 2).sum())


def _inversions(value: Ints) -> int:
    """How many pairs stand in descending order; `value` (n,) lies between 0 and n − 1.

    Blocks of 1, 2, 4 … are merged two by two: each number of a left block is counted once for each smaller one that
    stands in the right block beside it.
    """
    n, width, total = value.size, 1, 0
    index = np.arange(n)
    while width < n:
        block, right = index // (2 * width), index // width % 2
        order = np.argsort((block * n + value) * 2 + right)  # equal numbers: the left one first
        is_right = right[order]
        before = np.cumsum(is_right) - is_right
        inside = before - before[index // (2 * width) * (2 * width)]
        total += int(inside[is_right == 0].sum())
        width *= 2
    return total
