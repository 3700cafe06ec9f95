"""Tukey's honestly significant differences of all runs, by randomization."""

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.inputs import NOISE, Rng, checked_draws, checked_table, generator
from evaluation.engine.significance.pairs import Pairs, pairs_of

N_PERMUTATIONS = 10_000
_CELLS_AT_ONCE = 1 << 18


def tukey_hsd(value: ArrayLike, *, n_permutations: int = N_PERMUTATIONS, rng: Rng) -> Pairs:
    """Which of all pairs of runs differ, `value` being (n_topics, n_runs), with one test for the whole family.

    Were all runs alike, each topic's values could stand in any order among them. Each permutation shuffles the values
    within every topic and keeps the range: the best mean minus the worst. p of a pair is the share of ranges at least
    as wide as its difference, (c + 1) / (n_permutations + 1): it is corrected for all pairs as it is. Statistic: the
    mean difference. Ranges equal up to rounding count as equal; runs with equal values: p = 1. Of two runs it is
    Fisher's randomization test. Raises `ValueError` for fewer than 2 topics or runs, NaN or infinity.

    Carterette, Multiple testing in statistical analysis of systems-based information retrieval experiments, TOIS
    30(1), 2012, § 4.3; Boytsov, Belova and Westfall, Deciding on an adjustment for multiplicity in IR experiments,
    SIGIR 2013.
    """
    table = checked_table(value)
    ascending = np.sort(_ranges(table, checked_draws(n_permutations), generator(rng)))
    first, second = pairs_of(table.shape[1])
    total = table.sum(axis=0)
    difference = total[first] - total[second]
    noise = 2 * NOISE * float(np.abs(table).max(axis=1).sum())
    at_least = n_permutations - np.searchsorted(ascending, np.abs(difference) - noise)
    p = (at_least + 1) / (n_permutations + 1)
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
        n_draws=n_permutations,
        exact=False,
    )


def _ranges(value: Floats, n_permutations: int, rng: np.random.Generator) -> Floats:
    """Greatest minus least total of the runs in each permutation, (n_permutations,)."""
    step = max(1, _CELLS_AT_ONCE // value.size)
    ranges = np.empty(n_permutations)
    for first in range(0, n_permutations, step):
        n = min(step, n_permutations - first)
        shuffled = np.repeat(value[None], n, axis=0)  # (n, n_topics, n_runs)
        rng.permuted(shuffled, axis=2, out=shuffled)
        ranges[first : first + n] = np.ptp(shuffled.sum(axis=1), axis=1)
    return ranges
