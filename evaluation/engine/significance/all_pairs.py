"""One paired test for many pairs of runs at once, and the correction for having made so many."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.significance.corrections import Correction, adjusted
from evaluation.engine.significance.flips import is_exhaustive, rounding, signed_sums
from evaluation.engine.significance.inputs import Rng, checked_table, deviation, is_constant, without_noise
from evaluation.engine.significance.paired.bootstrap import count_extreme
from evaluation.engine.significance.paired.result import PairedTest, Test
from evaluation.engine.significance.paired.sign import sign_test
from evaluation.engine.significance.paired.student import paired_t
from evaluation.engine.significance.paired.wilcoxon import wilcoxon
from evaluation.engine.significance.pairs import Pairs, pairs_of
from evaluation.engine.significance.resamples import N_RESAMPLES

TESTS = ("t", "randomization", "wilcoxon", "sign", "bootstrap")
_DRAWS = {"randomization": 100_000, "bootstrap": N_RESAMPLES}
_ALONE = {"t": paired_t, "wilcoxon": wilcoxon, "sign": sign_test}


def compare_pairs(
    value: ArrayLike,
    *,
    test: Test = "randomization",
    correction: Correction = "holm",
    baseline: int | None = None,
    n_draws: int | None = None,
    rng: Rng,
) -> Pairs:
    """`test`, two-sided, of all pairs of the runs in `value`, (n_topics, n_runs), or of each run against a baseline.

    Randomization draws its sign vectors once for all pairs, and bootstrap (t, shift method) its resamples: 60 runs on
    50 topics, 1770 pairs, take a quarter of a second for 100,000 flips. `n_draws` None: 100,000 flips, or 9,999
    resamples. Runs with equal values: p = 1. Raises `PairError` where the test of one pair cannot answer, and
    `ValueError` for fewer than 2 topics or runs, NaN or infinity, and unknown names. Papers: the tests, and
    `corrections`.
    """
    table = checked_table(value)
    if test not in TESTS:
        raise ValueError(f"a test is one of {', '.join(TESTS)}, not {test!r}")
    pairs = first, second = pairs_of(table.shape[1], baseline=baseline)
    outcome = _tested(table, pairs, test, _DRAWS.get(test, 0) if n_draws is None else n_draws, rng)
    mean = table.mean(axis=0)
    return Pairs(
        test=test,
        correction=correction,
        first=first,
        second=second,
        mean_difference=mean[first] - mean[second],
        statistic=outcome.statistic,
        p=outcome.p,
        adjusted=adjusted(outcome.p, correction),
        n_topics=table.shape[0],
        n_runs=table.shape[1],
        n_draws=outcome.n_draws,
        exact=outcome.exact,
    )


class PairError(ValueError):
    """A test cannot answer for a pair. It is told by the columns of the two runs: tags are not known here."""

    def __init__(self, first: int, second: int, reason: str) -> None:
        super().__init__(f"runs {first} and {second}: {reason}")
        self.first, self.second, self.reason = first, second, reason


class _Outcome(NamedTuple):
    """What a test of all pairs gives, as `Pairs` has it."""

    statistic: Floats  # (n_pairs,)
    p: Floats
    n_draws: int
    exact: bool


def _tested(value: Floats, pairs: tuple[Ints, Ints], test: Test, n_draws: int, rng: Rng) -> _Outcome:
    if test == "randomization":
        return _randomized(value, pairs, n_draws, rng)
    if test == "bootstrap":
        return _resampled(value, pairs, n_draws, rng)
    each = [_one(value, i, j, test) for i, j in zip(*(runs.tolist() for runs in pairs), strict=True)]
    statistic, p = np.array([one.statistic for one in each]), np.array([one.p for one in each])
    return _Outcome(statistic, p, 0, all(one.exact for one in each))


def _one(value: Floats, i: int, j: int, test: Test) -> PairedTest:
    try:
        return _ALONE[test](without_noise(value[:, i], value[:, j]))
    except ValueError as error:
        raise PairError(i, j, str(error)) from error


def _randomized(value: Floats, pairs: tuple[Ints, Ints], n_flips: int, rng: Rng) -> _Outcome:
    """A signed sum of a difference is the difference of the runs' signed sums: those are made once a run."""
    first, second = pairs
    sums, noise = value.sum(axis=0), rounding(value)
    limit = np.abs(sums[first] - sums[second]) - noise[first] - noise[second]
    count, n = np.zeros(first.size, np.int64), 0
    for total in signed_sums(value, n_flips=n_flips, rng=rng):
        apart, extreme = np.empty(total.shape[1]), np.empty(total.shape[1], np.bool_)
        for pair, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
            np.subtract(total[i], total[j], out=apart)
            np.abs(apart, out=apart)
            np.greater_equal(apart, limit[pair], out=extreme)
            count[pair] += np.count_nonzero(extreme)
        n += total.shape[1]
    exact = is_exhaustive(value.shape[0], n_flips)
    return _Outcome((sums[first] - sums[second]) / value.shape[0], count / n, n if exact else n - 1, exact)


def _resampled(value: Floats, pairs: tuple[Ints, Ints], n_resamples: int, rng: Rng) -> _Outcome:
    difference = without_noise(value[:, pairs[0]], value[:, pairs[1]])  # (n_topics, n_pairs)
    constant = is_constant(difference)
    refused = np.flatnonzero(constant & difference.any(axis=0))
    if refused.size:
        i, j = (int(runs[refused[0]]) for runs in pairs)
        raise PairError(i, j, "all differences are equal, so that resamples do not vary: use randomization")
    count = count_extreme(difference, alternative="two-sided", statistic="t", n_resamples=n_resamples, rng=rng)
    error = np.where(constant, 1.0, deviation(difference)) / math.sqrt(value.shape[0])
    return _Outcome(difference.mean(axis=0) / error, (count + 1) / (n_resamples + 1), n_resamples, exact=False)
