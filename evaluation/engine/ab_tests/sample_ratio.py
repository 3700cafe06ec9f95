"""Whether variants have the units that their shares promise: the first check of every experiment."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

THRESHOLD = 0.001  # of p: the check is made at every look, and should seldom be wrong
FEW = 50  # expected units of a variant: with fewer, chi-square's limit is below .001 up to ten times too often


@dataclass(frozen=True)
class SampleRatio:
    """`n` and `expected` units by variant; `statistic` is chi-square, `p` of the `test`; `mismatch`: p is below
    `threshold`."""

    n: dict[str, int]
    expected: dict[str, float]
    statistic: float
    p: float
    threshold: float
    test: Literal["chi-square", "binomial"]

    @property
    def mismatch(self) -> bool:
        return self.p < self.threshold


def sample_ratio(
    n: Mapping[str, int], shares: Mapping[str, float] | None = None, *, threshold: float = THRESHOLD
) -> SampleRatio:
    """Pearson's chi-square test of the counts of units against shares in any unit; None: equal ones. Where fewer than
    `FEW` units of a variant are expected, exact binomial tests: of two variants one, of k the least p times k.

    Raises `ValueError` for fewer than two variants, for shares that are not positive or of other variants, and for a
    threshold outside (0, 1), and for no unit at all.

    Fabijan et al., Diagnosing sample ratio mismatch in online controlled experiments, KDD 2019.
    """
    if len(n) < 2:
        raise ValueError(f"an experiment has at least two variants; there is {', '.join(n) or 'none'}")
    if not 0 < threshold < 1:
        raise ValueError(f"the threshold of the sample ratio's p lies between 0 and 1, not {threshold:g}")
    share = dict.fromkeys(n, 1.0) if shares is None else dict(shares)
    if share.keys() != n.keys():
        odd = min(share.keys() ^ n.keys())
        where = "has no share" if odd in n else "has a share, but no unit"
        raise ValueError(f"the variant {odd} {where}")
    if not all(one > 0 and math.isfinite(one) for one in share.values()):
        raise ValueError("every share is a positive number")
    if not sum(n.values()):
        raise ValueError("no variant has a unit")
    scale = sum(n.values()) / sum(share.values())
    expected = {name: share[name] * scale for name in n}
    statistic = sum((n[name] - expected[name]) ** 2 / expected[name] for name in n)
    few = min(expected.values()) < FEW
    p = _binomial_p(n, expected) if few else _chi_square_p(statistic, len(n) - 1)
    return SampleRatio(dict(n), expected, statistic, p, threshold, "binomial" if few else "chi-square")


def _chi_square_p(statistic: float, df: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(df, statistic))


def _binomial_p(n: Mapping[str, int], expected: Mapping[str, float]) -> float:
    """Twice the smaller tail, of each variant against all others."""
    from scipy.special import bdtr, bdtrc

    total, count = sum(n.values()), np.array([n[name] for name in n])
    share = np.array([expected[name] for name in n]) / total
    tail = np.minimum(bdtr(count, total, share), bdtrc(count - 1.0, total, share))
    return min(1.0, 2 * float(tail.min()) * (len(n) if len(n) > 2 else 1))
