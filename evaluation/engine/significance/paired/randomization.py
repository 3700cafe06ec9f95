"""Fisher's randomization test of paired differences: flip signs."""

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.significance.flips import is_exhaustive, rounding, signed_sums
from evaluation.engine.significance.inputs import NOISE, Rng, checked_values
from evaluation.engine.significance.paired.result import (
    Alternative,
    PairedTest,
    checked_alternative,
    paired_result,
    towards,
)


def randomization(
    difference: ArrayLike, *, alternative: Alternative = "two-sided", n_flips: int = 100_000, rng: Rng
) -> PairedTest:
    """How often random signs move the mean of `difference`, (n_topics,), at least as far as it is. Statistic: the mean.

    Were the two runs alike, each difference would be as likely with the other sign. Topics with difference 0 take no
    part. All 2^n sign vectors where they are at most `n_flips` (p = c / 2^n, exact); else at least `n_flips` drawn
    ones, p = (c + 1) / (n_draws + 1). Sums equal up to rounding count as equal. All differences 0: p = 1.
    Raises `ValueError` for fewer than 2 topics, NaN or infinity, n_flips < 1.

    Fisher, The Design of Experiments, 1935, § 21; Smucker, Allan and Carterette, A comparison of statistical
    significance tests for information retrieval evaluation, CIKM 2007. Drawing: `flips`.
    """
    value, side = checked_values(difference), checked_alternative(alternative)
    different = value[np.abs(value) > NOISE * np.max(np.abs(value))][:, None]  # (n_different, 1)
    limit = float(towards(different.sum(axis=0), side)[0] - rounding(different)[0])
    count = n = 0
    for total in signed_sums(different, n_flips=n_flips, rng=rng):
        count += int(np.count_nonzero(towards(total, side) >= limit))
        n += total.size
    exact = is_exhaustive(different.size, n_flips)
    return paired_result(
        value,
        test="randomization",
        alternative=side,
        statistic=float(value.mean()),
        p=count / n,  # the sum as it is is one of the n
        n_draws=n if exact else n - 1,
        exact=exact,
    )
