"""Tukey's honestly significant differences of all runs, by randomization."""

import math
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike

from annotation.text.watch import WordlessWatch
from evaluation.engine.arrays import Floats
from evaluation.engine.significance.inputs import NOISE, Rng, checked_draws, checked_table, generator
from evaluation.engine.significance.pairs import Pairs, pairs_of

N_PERMUTATIONS = 10_000
_CELLS_AT_ONCE = 1 << 18
_LARGEST = 60.0  # the logarithm of a number of permutations that nobody asks for


def tukey_hsd(
    value: ArrayLike, *, n_permutations: int = N_PERMUTATIONS, rng: Rng, watch: WordlessWatch | None = None
) -> Pairs:
    """Which of all pairs of runs differ, `value` being (n_topics, n_runs), with one test for the whole family.

    Were all runs alike, each topic's values could stand in any order among them. Each permutation shuffles the values
    within every topic and keeps the range: the best mean minus the worst. p of a pair is the share of ranges at least
    as wide as its difference, (c + 1) / (n_permutations + 1): it is corrected for all pairs as it is. Where all
    (n_runs!)^n_topics permutations are no more than `n_permutations` each is taken once, and p is exact. Statistic: the
    mean difference. Ranges equal up to rounding count as equal; runs with equal values: p = 1. Of two runs it is
    Fisher's randomization test. `watch` is told of the draws. Raises `ValueError` for fewer than 2 topics or runs,
    NaN or infinity.

    Carterette, Multiple testing in statistical analysis of systems-based information retrieval experiments, TOIS
    30(1), 2012, § 4.3; Boytsov, Belova and Westfall, Deciding on an adjustment for multiplicity in IR experiments,
    SIGIR 2013.
    """
    table = checked_table(value)
    exact = _is_exhaustive(table, checked_draws(n_permutations))
    ranges = _all_ranges(table) if exact else _ranges(table, n_permutations, generator(rng), watch)
    ascending = np.sort(ranges)
    first, second = pairs_of(table.shape[1])
    total = table.sum(axis=0)
    difference = total[first] - total[second]
    noise = 2 * NOISE * float(np.abs(table).max(axis=1).sum())
    at_least = ascending.size - np.searchsorted(ascending, np.abs(difference) - noise)
    p = at_least / ascending.size if exact else (at_least + 1) / (ascending.size + 1)
    return Pairs(
        test="tukey",
        correction="none",
        first=first,
        second=second,
        mean_difference=difference / table.shape[0],
        statistic=difference / table.shape[0],
        p=p,
        adjusted=p,
        n_topics=table.shape[0],
        n_runs=table.shape[1],
        n_draws=math.factorial(table.shape[1]) ** table.shape[0] if exact else n_permutations,
        exact=exact,
    )


def _is_exhaustive(value: Floats, n_permutations: int) -> bool:
    """Whether there are no more ways to shuffle the values of every topic than were asked for."""
    n_topics, n_runs = value.shape
    if n_topics * math.lgamma(n_runs + 1) > _LARGEST:
        return False
    n_all: int = math.factorial(n_runs) ** n_topics
    return n_all <= n_permutations


def _all_ranges(value: Floats) -> Floats:
    """The range of each permutation, (n_runs!^(n_topics − 1),): renaming the runs changes no range, so that the first
    topic may stand as it is."""
    order = np.array(list(permutations(range(value.shape[1]))))  # (n_runs!, n_runs)
    total = value[:1]
    for row in value[1:]:
        total = (total[:, None] + row[order]).reshape(-1, value.shape[1])
    ranges: Floats = np.ptp(total, axis=1)
    return ranges


def _ranges(value: Floats, n_permutations: int, rng: np.random.Generator, watch: WordlessWatch | None) -> Floats:
    """Greatest minus least total of the runs in each permutation, (n_permutations,)."""
    step = max(1, _CELLS_AT_ONCE // value.size)
    ranges = np.empty(n_permutations)
    for first in range(0, n_permutations, step):
        if watch:
            watch(first, n_permutations)
        n = min(step, n_permutations - first)
        shuffled = np.repeat(value[None], n, axis=0)  # (n, n_topics, n_runs)
        rng.permuted(shuffled, axis=2, out=shuffled)
        ranges[first : first + n] = np.ptp(shuffled.sum(axis=1), axis=1)
    return ranges
