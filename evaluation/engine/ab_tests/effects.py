"""The difference of a measure between two variants: a mean or a ratio of means, with or without a covariate.

Every measure is, to first order, a weighted sum of columns: a mean has the weight 1; a ratio R =
x̄/ȳ has 1/ȳ for x and −R/ȳ for y (the delta method: Deng, Knoblich and Lu, Applying the delta
method in metric analytics, KDD 2018). With a covariate, −θ is its weight (CUPED: Deng, Xu, Kohavi
and Walker, Improving the sensitivity of online controlled experiments by utilizing pre-experiment
data, WSDM 2013). Variances of differences are wᵀS₁w/n₁ + wᵀS₂w/n₂.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from evaluation.engine.ab_tests.moments import Moments
from evaluation.engine.arrays import Floats

ROUNDING = 1e-12  # of a sum of squares that cancel: a smaller share is what rounding leaves
EXACT = 1e-15  # of a mean: a smaller share of it is none that its number shows


@dataclass(frozen=True)
class UnitMeasure:
    """A mean of a column, or the mean of one by that of another. Columns are places in the moments."""

    name: str
    column: int
    denominator: int | None = None


@dataclass(frozen=True)
class Interval:
    low: float
    high: float


@dataclass(frozen=True)
class Effect:
    """`difference` is treatment − control; `error` its standard error with `df` degrees of freedom; `relative` is by
    the control's value, None with its interval where that cannot be told from 0. `variance_saved`: of the difference,
    by the covariate with `theta`, 0…1 or slightly below 0; None without one."""

    control: float
    treatment: float
    difference: float
    error: float
    df: float
    p: float
    interval: Interval
    relative: float | None
    relative_interval: Interval | None
    theta: float | None
    variance_saved: float | None


def value_and_weights(measure: UnitMeasure, group: Moments) -> tuple[float, Floats]:
    """The measure of a variant, and the weights (n_columns,) of its first-order expansion there.

    Raises `ValueError` where the denominator's mean is 0.
    """
    weight = np.zeros(group.mean.size)
    if measure.denominator is None:
        weight[measure.column] = 1.0
        return float(group.mean[measure.column]), weight
    below = float(group.mean[measure.denominator])
    if below == 0:
        raise ValueError(f"{measure.name}: the mean of the denominator is 0")
    ratio = float(group.mean[measure.column]) / below
    weight[measure.column] += 1 / below
    weight[measure.denominator] -= ratio / below
    return ratio, weight


def pooled_theta(measure: UnitMeasure, covariate: int, groups: Iterable[Moments]) -> float:
    """The slope of the measure on the covariate within variants, pooled over all of them: Σ s_xy / Σ s_xx.

    Raises `ValueError` where the covariate does not vary within variants.
    """
    above = below = 0.0
    for group in groups:
        above += float(group.scatter[covariate] @ value_and_weights(measure, group)[1])
        below += float(group.scatter[covariate, covariate])
    if below == 0:
        raise ValueError("the covariate does not vary within variants: it can save nothing")
    return above / below


def refuse_constant(measure: UnitMeasure, groups: Iterable[Moments]) -> None:
    """Raises `ValueError` where it is the same for all units of each group: a mean exactly, a ratio but for
    rounding."""
    for group in groups:
        weight = value_and_weights(measure, group)[1]
        terms = np.abs(weight) @ np.abs(group.scatter) @ np.abs(weight)
        if weight @ group.scatter @ weight > ROUNDING * terms:
            return
    raise ValueError(f"{measure.name} does not vary: there is nothing to test")


def effect(
    measure: UnitMeasure,
    control: Moments,
    treatment: Moments,
    *,
    alpha: float = 0.05,
    covariate: int | None = None,
    theta: float | None = None,
) -> Effect:
    """The difference with Welch's interval and test (Welch, Biometrika 34, 1947), and by the control's value.

    `covariate` and `theta` come together. Raises `ValueError` for a group of fewer than 2 units, a measure that
    varies in neither, and what `value_and_weights` refuses.
    """
    if min(control.n, treatment.n) < 2:
        raise ValueError("every variant needs at least 2 units")
    refuse_constant(measure, (control, treatment))
    sides = [_estimated(measure, group, covariate, theta) for group in (control, treatment)]
    return effect_of(measure, *sides, alpha=alpha, theta=theta)


@dataclass(frozen=True, eq=False)
class Estimated:
    """A measure of a variant, `n` units. `adjusted`: its value less θ times the mean of the covariate; `covariance`
    (2, 2) is that of both as estimates."""

    n: int
    value: float
    adjusted: float
    covariance: Floats


def effect_of(
    measure: UnitMeasure, control: Estimated, treatment: Estimated, *, alpha: float = 0.05, theta: float | None = None
) -> Effect:
    """The difference of two estimates. Raises `ValueError` for an error that numbers of the measure's size do not
    show, and for a covariate that leaves nothing."""
    before, difference = control.value, treatment.adjusted - control.adjusted
    raw, size = float(control.covariance[0, 0] + treatment.covariance[0, 0]), max(abs(before), abs(treatment.value))
    if math.sqrt(raw) <= EXACT * size:
        raise ValueError(
            f"{measure.name} varies too little to be told beside its size, {size:.3g}: take a constant off its values"
        )
    parts = float(control.covariance[1, 1]), float(treatment.covariance[1, 1])
    if sum(parts) <= ROUNDING * raw:
        raise ValueError(f"the covariate says all of {measure.name}: it is the measure itself, not from before")
    error, df = math.sqrt(sum(parts)), _degrees(parts, control.n, treatment.n)
    reach = _quantile(df, alpha)
    relative = relative_error = None
    if abs(before) > reach * math.sqrt(control.covariance[0, 0]):
        relative = difference / before  # the control's value is random, too
        weight = np.array([relative, 1.0])
        above = parts[1] + max(0.0, float(weight @ control.covariance @ weight))
        relative_error = math.sqrt(above) / abs(before)
    return Effect(
        control=before,
        treatment=treatment.value,
        difference=difference,
        error=error,
        df=df,
        p=_p(difference / error, df),
        interval=_around(difference, reach * error),
        relative=relative,
        relative_interval=None if relative is None else _around(relative, reach * (relative_error or 0.0)),
        theta=theta,
        variance_saved=None if theta is None else 1 - sum(parts) / raw,
    )


def _estimated(measure: UnitMeasure, group: Moments, covariate: int | None, theta: float | None) -> Estimated:
    value, plain = value_and_weights(measure, group)
    shift = np.zeros(plain.size)
    if covariate is not None and theta is not None:
        shift[covariate] = theta
    weight = np.stack([plain, plain - shift])
    covariance = weight @ group.covariance @ weight.T / group.n
    covariance[np.diag_indices(2)] = np.maximum(covariance.diagonal(), 0.0)  # rounding
    return Estimated(group.n, value, value - float(shift @ group.mean), covariance)


def _degrees(parts: tuple[float, float], n_control: int, n_treatment: int) -> float:
    """Welch's: as the shares of the variance, so that tiny variances do not underflow."""
    share = parts[0] / sum(parts)
    return 1 / (share**2 / (n_control - 1) + (1 - share) ** 2 / (n_treatment - 1))


def _quantile(df: float, alpha: float) -> float:
    from scipy.special import stdtrit

    if not 0 < alpha < 1:
        raise ValueError(f"alpha lies between 0 and 1, not {alpha:g}")
    return float(stdtrit(df, 1 - alpha / 2))


def _p(t: float, df: float) -> float:
    from scipy.special import stdtr

    return min(1.0, 2 * float(stdtr(df, -abs(t))))


def _around(middle: float, reach: float) -> Interval:
    return Interval(middle - reach, middle + reach)
