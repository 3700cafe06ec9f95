"""The result of one test of many pairs of runs."""

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.significance.corrections import Correction, adjusted
from evaluation.engine.significance.paired.result import Test

PairsTest: TypeAlias = Literal[Test, "tukey"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Pairs:
    """One test of many pairs of runs; columns are (n_pairs,), runs are columns of the table that was given.

    `mean_difference` is that of `first` minus `second`, and `statistic` is the test's of that difference. `p` is each
    pair's own and never 0; `adjusted` is p after the correction for having made so many tests (Tukey's p is corrected
    as it is). `n_draws` and `exact` as in `PairedTest`: exact only if every pair's p is.
    """

    test: PairsTest
    correction: Correction
    first: Ints = field(repr=False)
    second: Ints = field(repr=False)
    mean_difference: Floats = field(repr=False)
    statistic: Floats = field(repr=False)
    p: Floats = field(repr=False)
    adjusted: Floats = field(repr=False)
    n_topics: int
    n_runs: int
    n_draws: int
    exact: bool

    def __len__(self) -> int:
        return self.first.size

    def square(self, of_pair: Floats, *, diagonal: float = 1.0, sign: int = 1) -> Floats:
        """A figure of each pair, (n_pairs,), as a table (n_runs, n_runs); below the diagonal times `sign`. All pairs
        are needed: what was not tested is as the diagonal."""
        square = np.full((self.n_runs, self.n_runs), diagonal)
        square[self.first, self.second] = of_pair
        square[self.second, self.first] = sign * of_pair
        return square

    def corrected(self, correction: Correction) -> "Pairs":
        """The same tests under another correction. Raises `ValueError` for Tukey's, which is made for all pairs."""
        if self.test == "tukey" and correction != "none":
            raise ValueError("Tukey's HSD is corrected for all pairs as it is")
        return replace(self, correction=correction, adjusted=adjusted(self.p, correction))


def pairs_of(n_runs: int, *, baseline: int | None = None) -> tuple[Ints, Ints]:
    """All pairs (i, j) with i < j; or each other run against the baseline, which then is `second`.

    Raises `ValueError` for a baseline that is no run.
    """
    if baseline is None:
        first, second = np.triu_indices(n_runs, 1)
        return first.astype(np.int64), second.astype(np.int64)
    if not 0 <= baseline < n_runs:
        raise ValueError(f"the baseline is one of the runs 0 to {n_runs - 1}, not {baseline}")
    others = np.delete(np.arange(n_runs), baseline)
    return others, np.full(others.size, baseline)
