"""What every statistic of annotators gives: a figure a person, or the reason why there is none."""

import re
from dataclasses import dataclass
from math import isnan

import numpy as np

from annotation.quality.arrays import Floats, Ints, divided, tally
from annotation.quality.wilson import wilson_interval


@dataclass(frozen=True)
class Figure:
    """Either `value`, or None and a `reason` in plain words; never both. `n`: what it rests on; `low` and `high`: a
    95 % interval, None where none is sound."""

    value: float | None
    reason: str
    n: int
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (not self.reason):
            raise ValueError("a figure has either a value or a reason why there is none")

    @property
    def defined(self) -> bool:
        return self.value is not None


@dataclass(frozen=True, eq=False)
class Figures:
    """(n_annotators,) each, in the order of the table's annotators; NaN where there is no value or no interval.

    `what`: what n counts, in the plural; `least`: how many of them it takes; `otherwise`: why there is no value though
    there are enough.
    """

    value: Floats
    n: Ints
    low: Floats
    high: Floats
    what: str
    least: int = 1
    otherwise: str = ""

    def of(self, i: int) -> Figure:
        """The figure of annotator i."""
        n, value, low, high = int(self.n[i]), float(self.value[i]), float(self.low[i]), float(self.high[i])
        if isnan(value):
            return Figure(None, self._reason(n), n)
        return Figure(value, "", n, None if isnan(low) else low, None if isnan(high) else high)

    def _reason(self, n: int) -> str:
        if not n:
            return f"No {self.what}."
        what = re.sub(r"s\b", "", self.what, count=1) if n == 1 else self.what
        return f"Only {n} {what}; it takes {self.least}." if n < self.least else self.otherwise


def figures(
    value: Floats,
    n: Ints,
    what: str,
    *,
    low: Floats | None = None,
    high: Floats | None = None,
    least: int = 1,
    otherwise: str = "It cannot be told from these.",
) -> Figures:
    """Nothing is said of a person with fewer than `least`; no interval is given where it is not passed."""
    shown_value = np.where(n >= least, value, np.nan)
    nowhere = np.full(len(shown_value), np.nan)

    def end(bound: Floats | None) -> Floats:
        return nowhere if bound is None else np.where(np.isnan(shown_value), np.nan, bound)

    return Figures(shown_value, n.astype(np.int64), end(low), end(high), what, least, otherwise)


def shares(who: Ints, part: Floats, n_annotators: int, what: str, *, least: int = 1) -> Figures:
    """Mean of `part` (n,), each in 0..1, of each person `who` (n,), with its Wilson interval.

    For yes and no the interval is Wilson's own; for parts in between it is wider than need be, since such parts vary
    less than a yes or no of the same mean does.
    """
    n = tally(who, n_annotators)
    total = np.minimum(np.bincount(who, weights=part, minlength=n_annotators), n)
    return shares_of_counts(total, n, what, least=least)


def shares_of_counts(total: Floats | Ints, n: Ints, what: str, *, least: int = 1) -> Figures:
    """total / n, (n_annotators,) each, with Wilson intervals."""
    interval = wilson_interval(total, n)
    return figures(divided(total, n), n, what, low=interval.low, high=interval.high, least=least)
