"""Wilson's score interval for a share: E. B. Wilson, JASA 22 (1927) 209–212; method 3 of R. G.
Newcombe, Statistics in Medicine 17 (1998) 857–872."""

from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

import numpy as np

from annotation.quality.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Interval:
    """`low` and `high` of each share, in 0..1, of the shape that was given."""

    low: Floats
    high: Floats


@dataclass(frozen=True)
class Share:
    """`n_yes` of `n`."""

    n_yes: int
    n: int

    @property
    def value(self) -> float | None:
        return self.n_yes / self.n if self.n else None

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Of 95 %; with n = 0 nothing is known: 0 to 1."""
        interval = wilson_interval(np.array(self.n_yes), np.array(self.n))
        return float(interval.low), float(interval.high)

    @property
    def low(self) -> float | None:
        """The lower end of the interval, where there is anything to tell it from."""
        return self.interval[0] if self.n else None

    @property
    def high(self) -> float | None:
        return self.interval[1] if self.n else None


def wilson_interval(correct: Ints | Floats, n: Ints, *, confidence: float = 0.95) -> Interval:
    """Interval of `correct / n`, element by element, without continuity correction.

    With n = 0 nothing is known: 0 to 1. The ends are exactly 0 for none correct and exactly 1 for all.
    Raises `ValueError` unless 0 ≤ correct ≤ n and 0 < confidence < 1.
    """
    k, size = np.asarray(correct, dtype=np.float64), np.asarray(n, dtype=np.float64)
    if not 0 < confidence < 1:
        raise ValueError("the confidence lies between 0 and 1")
    if ((k < 0) | (k > size)).any():
        raise ValueError("correct lies between 0 and n")
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    share = k / np.maximum(size, 1)
    centre = (k + z2 / 2) / (size + z2)
    half = np.sqrt(z2) / (size + z2) * np.sqrt(size * share * (1 - share) + z2 / 4)
    low = np.where(k == 0, 0.0, np.maximum(centre - half, 0.0))
    high = np.where(k == size, 1.0, np.minimum(centre + half, 1.0))
    return Interval(low, high)
