"""Many runs by one measure: which can be told apart, in groups of runs and ranges of ranks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from annotation.text.watch import WordlessWatch
from evaluation.engine.arrays import Floats
from evaluation.engine.comparison import Comparison, Design, missing_of, table_of, tested_pairs
from evaluation.engine.scorer import MeasureValues
from evaluation.engine.significance.corrections import Correction
from evaluation.engine.significance.groups import Group, better_than, groups_of, letters_of, rank_ranges
from evaluation.engine.significance.intervals.result import MeanInterval
from evaluation.engine.significance.pairs import Pairs, PairsTest
from evaluation.engine.value_range import interval_of_mean

OF_MEANS: tuple[PairsTest, ...] = ("tukey", "randomization", "t", "bootstrap")  # the others put means in no order
DESIGN = Design(test="tukey")  # the test for "which of these differ?"


@dataclass(frozen=True)
class RunAmongMany:
    """A run with its mean, and what the tests leave of its rank; `letters` are empty where groups are too many."""

    tag: str
    interval: MeanInterval
    best_rank: int
    worst_rank: int
    letters: str
    n_missing: int = 0  # topics that it has no document for, and counts 0 for


@dataclass(frozen=True)
class ManyRuns:
    """`runs` by their means, the best first, equal ones by tag; everything else in their order."""

    measure: str
    numbers: tuple[str, ...] = field(repr=False)
    runs: tuple[RunAmongMany, ...]
    groups: tuple[Group, ...] | None  # places in `runs`; None: more than there are letters
    difference: Floats = field(repr=False, compare=False)  # (n_runs, n_runs), the row's mean minus the column's
    adjusted: Floats = field(repr=False, compare=False)  # (n_runs, n_runs), p after the correction; 1 in the diagonal
    correction: Correction
    n_draws: int
    exact: bool
    design: Design

    @property
    def n_pairs(self) -> int:
        return len(self.runs) * (len(self.runs) - 1) // 2

    @property
    def n_apart(self) -> int:
        return int(np.count_nonzero(np.triu(self.adjusted <= self.design.alpha, 1)))

    @property
    def least_p(self) -> float:
        """No adjusted p is below it, with so many draws or, of an exact test, with so few topics; 0 without draws.

        Whatever is done alike on all topics leaves every difference as large: all signs turned, all runs exchanged.
        """
        times = self.n_pairs if self.correction in ("bonferroni", "holm") else 1
        if not self.exact:
            return times / (self.n_draws + 1) if self.n_draws else 0.0
        if self.design.test == "tukey":
            return float(math.factorial(len(self.runs))) ** (1 - len(self.numbers))
        return times * 2.0 ** (1 - len(self.numbers))


def compare_many(
    evaluations: Sequence[MeasureValues],
    measure: str,
    design: Design = DESIGN,
    *,
    seed: int,
    watch: WordlessWatch | None = None,
) -> ManyRuns:
    """All pairs of evaluated runs over the topics that all of them have, by the design's test and correction.

    Of the design test, correction, alpha, confidence (of each mean, by itself) and number of draws count. Tukey's test
    takes time in proportion to runs · topics · permutations (300 runs, 250 topics, 10,000: some 10 s), the others to
    topics and pairs; `watch` is told of Tukey's draws. The same seed and runs give the same numbers, in whatever order
    the runs come. Raises `ValueError` as `compare` does, for a test that is not of means, for a baseline, and for an
    alpha that is none.
    """
    if design.baseline is not None:
        raise ValueError("many runs are compared with each other: no baseline")
    table = tags, numbers, value = table_of(evaluations, measure)
    try:
        pairs = tested_pairs(value, tags, design, np.random.default_rng(seed), watch)
        return _arranged(measure, table, pairs, design, missing_of(evaluations, numbers))
    except ValueError as fault:
        raise ValueError(f"{measure}: {fault}") from fault


def many_of(comparison: Comparison) -> ManyRuns:
    """What a comparison of all pairs says of the order of its runs."""
    c = comparison
    return _arranged(c.measure, (c.tags, c.numbers, c.value), c.tests, c.design, c.n_missing)


def _arranged(
    measure: str,
    table: tuple[tuple[str, ...], tuple[str, ...], Floats],
    pairs: Pairs,
    design: Design,
    n_missing: Sequence[int],
) -> ManyRuns:
    tags, numbers, value = table
    if not 0 < design.alpha < 1:
        raise ValueError(f"alpha lies between 0 and 1, not {design.alpha}")
    if design.test not in OF_MEANS:
        raise ValueError(f"runs are put in order by a test of means: {', '.join(OF_MEANS)}, not {design.test}")
    intervals = [interval_of_mean(column, measure, confidence=design.confidence) for column in value.T]
    order = sorted(range(len(tags)), key=lambda run: (-intervals[run].mean, tags[run]))
    at = np.ix_(order, order)
    better = better_than(pairs, alpha=design.alpha)[at]
    groups = groups_of(better)
    letters = letters_of(groups, len(tags)) if groups else [""] * len(tags)
    return ManyRuns(
        measure=measure,
        numbers=numbers,
        runs=tuple(
            RunAmongMany(tags[run], intervals[run], *ranks, letter, n_missing[run])
            for run, ranks, letter in zip(order, rank_ranges(better), letters, strict=True)
        ),
        groups=tuple(groups) if groups else None,
        difference=pairs.square(pairs.mean_difference, diagonal=0.0, sign=-1)[at],
        adjusted=pairs.square(pairs.adjusted)[at],
        correction=pairs.correction,
        n_draws=pairs.n_draws,
        exact=pairs.exact,
        design=design,
    )
