"""What a sample with unequal inclusion probabilities says about all units: totals, means and ratios, with intervals.

Each sampled unit stands for 1/π units, π its inclusion probability. `value`, `probability` and
`stratum` are (n,), one entry a sampled unit; without `stratum` all units are taken as one stratum
of a sample of fixed size.

The variance is Hájek's for samples of fixed size and high entropy, by stratum: n/(n − 1) · Σ (1 −
π)(z − z̄)², with z = value/π and z̄ its mean weighted by 1 − π. Where π is alike within a stratum,
as in stratified random sampling, it is the exact textbook variance N² (1 − n/N) s²/n. Means and
ratios take the value's residual in its place (linearisation), which is right for large samples.
Intervals are Student's t with the degrees of freedom of the strata that tell the variance
(Satterthwaite's): (Σ V)² / Σ (V² / (n − 1)) over the variances V of strata. A stratum that was
taken whole adds none. Horvitz and Thompson, A generalization of sampling without replacement from a
finite universe, JASA 47, 1952; Hájek, comment in Foundations of Statistical Inference, 1971;
Cochran, Sampling Techniques, 3rd edition, 1977, section 5.4; Deville, Variance estimation for
complex statistics and estimators, Survey Methodology 25, 1999; Särndal, Swensson and Wretman, Model
Assisted Survey Sampling, 1992, ch. 5.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.significance.inputs import checked_confidence, checked_values
from evaluation.engine.significance.intervals.result import ends_within

Quantity: TypeAlias = Literal["total", "mean", "ratio"]
ROUNDING = 2e-15  # of the terms of a residual: a smaller difference is what rounding leaves of equal ones


@dataclass(frozen=True)
class Estimate:
    """`low` and `high` are infinite where the variance cannot be estimated, which `note` explains."""

    quantity: Quantity
    value: float
    error: float  # standard error
    low: float
    high: float
    confidence: float
    df: float  # 0 where all units are in the sample
    n: int
    note: str = ""

    def within(self, least: float, greatest: float) -> "Estimate":
        """As `ends_within`; ends that are unknown stay so."""
        if self.note:
            return self
        low, high = ends_within(self.value, (self.low, self.high), (least, greatest))
        return replace(self, low=low, high=high)


def horvitz_thompson(
    value: ArrayLike, probability: ArrayLike, *, stratum: ArrayLike | None = None, confidence: float = 0.95
) -> Estimate:
    """The total over all units: Σ value/π. Unbiased whatever the values.

    Raises `ValueError` for arrays that do not match, no units, values that are not finite, probabilities outside (0, 1]
    and a confidence outside (0, 1).
    """
    y, pi, h = _checked(value, probability, stratum)
    return _estimate("total", float((y / pi).sum()), (y, np.abs(y)), pi, h, confidence=confidence)


def hajek_mean(
    value: ArrayLike, probability: ArrayLike, *, stratum: ArrayLike | None = None, confidence: float = 0.95
) -> Estimate:
    """The mean over all units: Σ (value/π) / Σ (1/π). Needs no size of the population; unchanged by a constant.

    Errors as `horvitz_thompson`.
    """
    y, pi, h = _checked(value, probability, stratum)
    size = float((1 / pi).sum())
    mean = float((y / pi).sum()) / size
    terms = (np.abs(y) + abs(mean)) / size
    return _estimate("mean", mean, ((y - mean) / size, terms), pi, h, confidence=confidence)


def hajek_ratio(
    numerator: ArrayLike,
    denominator: ArrayLike,
    probability: ArrayLike,
    *,
    stratum: ArrayLike | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """One total divided by another: Σ (numerator/π) / Σ (denominator/π); with counts of traffic as the denominator and
    counts times values as the numerator, the mean over traffic.

    Errors as `horvitz_thompson`, and for a denominator whose total is 0.
    """
    y, pi, h = _checked(numerator, probability, stratum)
    x, _, _ = _checked(denominator, probability, stratum)
    below = float((x / pi).sum())
    if below == 0:
        raise ValueError("the total of the denominator is 0: there is no ratio")
    ratio = float((y / pi).sum()) / below
    terms = (np.abs(y) + np.abs(ratio * x)) / abs(below)
    return _estimate("ratio", ratio, ((y - ratio * x) / below, terms), pi, h, confidence=confidence)


def _estimate(
    quantity: Quantity, value: float, residual: tuple[Floats, Floats], pi: Floats, stratum: Ints, *, confidence: float
) -> Estimate:
    """`residual`: values, or their residuals, whose total's variance is that of the estimate, and how large the numbers
    are of which they are differences."""
    checked_confidence(confidence)
    y, terms = residual
    variance, df, note = _variance(y, terms, pi, stratum)
    error = math.sqrt(variance)
    if df and not note and not error:
        note = "the values of each stratum are equal: how those of other units vary cannot be told"
    if note:
        return Estimate(quantity, value, math.inf, -math.inf, math.inf, confidence, df, y.size, note)
    from scipy.special import stdtrit

    reach = float(stdtrit(df, (1 + confidence) / 2)) * error if error else 0.0
    return Estimate(quantity, value, error, value - reach, value + reach, confidence, df, y.size)


def _variance(y: Floats, terms: Floats, pi: Floats, stratum: Ints) -> tuple[float, float, str]:
    """Of Σ y/π, exactly 0 where values of a stratum are equal; its degrees of freedom; and why it cannot be estimated,
    empty where it can."""
    _, first, code = np.unique(stratum, return_index=True, return_inverse=True)
    n = np.bincount(code)
    spare = 1 - pi
    left = np.bincount(code, spare)
    if alone := int(((n == 1) & (left > 0)).sum()):
        strata = "stratum has" if alone == 1 else "strata have"
        return math.inf, 0.0, f"{alone} {strata} one sampled unit of several: its variance cannot be estimated"
    z, size = y / pi, terms / pi
    z = z - z[first][code]
    z[np.abs(z) <= ROUNDING * (size + size[first][code])] = 0.0
    mean = np.bincount(code, spare * z) / np.where(left > 0, left, 1)
    part = np.bincount(code, spare * (z - mean[code]) ** 2) * n / np.maximum(n - 1, 1)
    return float(part.sum()), _degrees(part[left > 0], n[left > 0]), ""


def _degrees(part: Floats, n: Ints) -> float:
    """Of variances of strata, (n_strata,), by shares of their sum, so that tiny ones do not underflow."""
    if not part.any():
        return float((n - 1).sum())
    share = part / part.sum()
    return float(1 / (share**2 / (n - 1)).sum())


def _checked(value: ArrayLike, probability: ArrayLike, stratum: ArrayLike | None) -> tuple[Floats, Floats, Ints]:
    y = checked_values(value, least=1)
    pi = np.asarray(probability, np.float64)
    h = np.zeros(y.size, np.int64) if stratum is None else np.unique(np.asarray(stratum), return_inverse=True)[1]
    if pi.shape != y.shape or h.shape != y.shape:
        raise ValueError(f"{y.size} values, {pi.size} probabilities, {h.size} strata: one of each a unit is needed")
    if not ((pi > 0) & (pi <= 1)).all():
        raise ValueError("an inclusion probability lies above 0 and is at most 1")
    return y, pi, h
