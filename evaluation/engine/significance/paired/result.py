"""The result of a paired test."""

import math
import sys
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from evaluation.engine.arrays import Floats

Test: TypeAlias = Literal["t", "randomization", "wilcoxon", "sign", "bootstrap"]
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]


@dataclass(frozen=True, kw_only=True)
class PairedTest:
    """A test of paired differences, first run minus second.

    `statistic` is what the test names in its docstring. `p` is never 0. `n_different` counts topics whose difference
    is not 0. `n_draws` is the number of sign vectors or resamples that p rests on, 0 where nothing is drawn or listed.
    `exact`: p is that of the test's own null distribution, the same for every seed; false where it is sampled, and
    where it rests on normality.
    """

    test: Test
    alternative: Alternative
    statistic: float
    p: float
    mean_difference: float
    n_topics: int
    n_different: int
    n_draws: int
    exact: bool

    @property
    def sampling_error(self) -> float:
        """The standard error that p owes to drawing: √(p (1 − p) / n_draws); 0 where nothing is drawn."""
        if self.exact or self.n_draws == 0:
            return 0.0
        return math.sqrt(self.p * (1 - self.p) / self.n_draws)


def paired_result(
    difference: Floats,
    *,
    test: Test,
    alternative: Alternative,
    statistic: float,
    p: float,
    n_draws: int = 0,
    exact: bool = False,
) -> PairedTest:
    return PairedTest(
        test=test,
        alternative=alternative,
        statistic=statistic,
        p=possible(p),
        mean_difference=float(difference.mean()),
        n_topics=difference.size,
        n_different=int(np.count_nonzero(difference)),
        n_draws=n_draws,
        exact=exact,
    )


def possible(p: float) -> float:
    """p in (0, 1]: what is too small for a float is the smallest normal one, about 2e-308."""
    return min(1.0, max(float(p), sys.float_info.min))


def towards(statistic: Floats, alternative: Alternative) -> Floats:
    """The statistic so turned that greater is further towards the alternative."""
    if alternative == "two-sided":
        return np.abs(statistic)
    return statistic if alternative == "greater" else -statistic


def tails(less: float, greater: float, alternative: Alternative) -> float:
    """p from P(statistic ≤ seen) and P(statistic ≥ seen); two-sided: twice the smaller, at most 1."""
    if alternative == "two-sided":
        return min(1.0, 2 * min(less, greater))
    return greater if alternative == "greater" else less


def checked_alternative(alternative: Alternative) -> Alternative:
    if alternative not in ("two-sided", "greater", "less"):
        raise ValueError(f"the alternative is 'two-sided', 'greater' or 'less', not {alternative!r}")
    return alternative
