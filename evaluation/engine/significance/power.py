"""How many topics a comparison needs: the power of the paired t-test, from a difference that somebody has named.

The difference is the smallest that would matter, named before looking. The observed one is never
used: "post-hoc" power only says the p-value again. What may be learnt from data is how much
differences vary: `pilot_deviation`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.inputs import NOISE, checked_confidence, checked_values, is_constant
from evaluation.engine.significance.noncentral import bisect, noncentral_t

MOST_TOPICS = 1_000_000
LARGEST_LOG = 700.0  # of which the exponential is a number


@dataclass(frozen=True)
class PairedDesign:
    """A two-sided paired t-test at level `alpha` finds a true difference of `effect` · `deviation` with this power."""

    n_topics: int
    effect: float  # the difference in standard deviations of the differences: d_z
    difference: float | None  # in the measure's own unit; None where only an effect was named
    deviation: float | None
    alpha: float
    power: float


@dataclass(frozen=True)
class PilotDeviation:
    """The standard deviation (n − 1) of differences, and the value it is below with this confidence."""

    deviation: float
    upper: float
    confidence: float
    n_topics: int


def paired_power(
    n_topics: int,
    *,
    difference: float | None = None,
    deviation: float | None = None,
    effect: float | None = None,
    alpha: float = 0.05,
) -> PairedDesign:
    """How likely n topics show a true difference: P(|T| > t) for T noncentral t with n − 1, δ = effect · √n.

    Name either `difference` and `deviation` (the standard deviation of the differences over topics), or `effect`, their
    ratio. The sign does not matter. Raises `ValueError` for anything else, for fewer than two topics, for a difference
    of 0, a deviation that is not positive, and an alpha outside (0, 1).

    Cohen, Statistical Power Analysis for the Behavioral Sciences, 2nd edition, 1988; Owen, The power of Student's
    t-test, JASA 60, 1965.
    """
    size = checked_effect(difference, deviation, effect)
    _check(n_topics, alpha, 0.5)
    return PairedDesign(n_topics, size, difference, deviation, alpha, _power(n_topics, size, alpha))


def topics_needed(
    *,
    difference: float | None = None,
    deviation: float | None = None,
    effect: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
) -> PairedDesign:
    """The fewest topics with which a true difference is found with at least this power; `power` says what they reach.

    Arguments and errors as `paired_power`; also `ValueError` for a power outside (0, 1), and where more than a million
    topics would be needed.

    Sakai, Topic set size design, Information Retrieval Journal 19, 2016 (its requirement for the paired t-test).
    """
    size = checked_effect(difference, deviation, effect)
    _check(2, alpha, power)
    if _power(MOST_TOPICS, size, alpha) < power:
        raise ValueError(f"a difference of {size:g} standard deviations needs more than {MOST_TOPICS:,} topics")
    n = least_number(lambda n: _power(n, size, alpha) >= power, least=2, most=MOST_TOPICS)
    return PairedDesign(n, size, difference, deviation, alpha, _power(n, size, alpha))


def smallest_difference(
    n_topics: int, *, deviation: float | None = None, power: float = 0.8, alpha: float = 0.05
) -> PairedDesign:
    """The smallest true difference that n topics show with this power: what a collection at hand can tell apart.

    Without a `deviation` only the effect is found. Errors as `topics_needed`.
    """
    _check(n_topics, alpha, power)
    if deviation is not None and not (deviation > 0 and math.isfinite(deviation)):
        raise ValueError(f"the standard deviation of the differences is positive, not {deviation}")
    most = 1.0
    while _power(n_topics, most, alpha) < power:
        most *= 2
    size = bisect(lambda effect: power - _power(n_topics, effect, alpha), 0.0, most)
    return PairedDesign(n_topics, size, None if deviation is None else size * deviation, deviation, alpha, power)


def pilot_deviation(difference: ArrayLike, *, confidence: float = 0.8) -> PilotDeviation:
    """How much differences vary, from those of pilot topics, (n_topics,); their mean is taken out and forgotten.

    A deviation from few topics is often too small, so that half of the studies planned with it fall short: plan with
    `upper`, the one-sided confidence limit by the jackknife of the logarithm of the variance, with Student's t(n − 1).
    It takes differences as they are: of few large ones among many small, of which topics may have missed some, a limit
    that takes them as normal is too low however many topics there are. Infinite where it has no bound: of two topics,
    and where all but one are equal. Raises `ValueError` for fewer than two topics, numbers that are not finite,
    differences that are all equal, and a confidence outside (0, 1).

    Browne, On the use of a pilot sample for sample size determination, Statistics in Medicine 14, 1995. Jackknife:
    Miller, Jackknifing variances, Annals of Mathematical Statistics 39, 1968.
    """
    values = checked_values(difference)
    checked_confidence(confidence)
    if is_constant(values):
        raise ValueError("all differences of the pilot topics are equal: they do not say how much differences vary")
    deviation = float(values.std(ddof=1))
    upper = float(upper_deviations(values[:, None] / deviation, confidence)[0]) * deviation
    return PilotDeviation(deviation, upper, confidence, values.size)


def upper_deviations(value: Floats, confidence: float) -> Floats:
    """The jackknife's limit of the deviation of each column of `value`, (n_topics, n_columns), of about unit scale."""
    from scipy.special import stdtrit

    n, square = len(value), (value - value.mean(axis=0)) ** 2
    total = square.sum(axis=0)
    without = (total - square * n / (n - 1)) / max(n - 2, 1)  # the variance without each topic
    endless = (without <= NOISE).any(axis=0) | (n < 3)
    log, log_without = (np.log(np.maximum(one, NOISE)) for one in (total / (n - 1), without))
    pseudo = n * log - (n - 1) * log_without
    half = float(stdtrit(n - 1, confidence)) * pseudo.std(axis=0, ddof=1) / math.sqrt(n)
    return np.where(endless, math.inf, np.exp(np.minimum((pseudo.mean(axis=0) + half) / 2, LARGEST_LOG)))


def two_sided_power(delta: float, df: int, alpha: float) -> float:
    """P(T > t) + P(T < −t), T noncentral t: the second is the chance of a significant difference of the wrong sign."""
    from scipy.special import stdtrit

    critical = float(stdtrit(df, 1 - alpha / 2))
    return noncentral_t(-critical, df, -delta) + noncentral_t(-critical, df, delta)


def least_number(is_enough: Callable[[int], bool], *, least: int, most: int) -> int:
    """The least number that is enough; `most` is known to be, and more is never less."""
    low, high = least - 1, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def _power(n: int, effect: float, alpha: float) -> float:
    return two_sided_power(effect * math.sqrt(n), n - 1, alpha)


def checked_effect(difference: float | None, deviation: float | None, effect: float | None) -> float:
    """A difference in standard deviations, without its sign. Raises `ValueError` where it is not said, or is 0."""
    if (effect is None) == (difference is None):
        raise ValueError("name either the effect, or the difference with the standard deviation of the differences")
    if (difference is None) != (deviation is None):
        raise ValueError("a difference needs the standard deviation of the differences, an effect does not")
    if deviation is not None and not (deviation > 0 and math.isfinite(deviation)):
        raise ValueError(f"the standard deviation of the differences is positive, not {deviation}")
    size = abs(effect if effect is not None else (difference or 0.0) / (deviation or 1.0))
    if not (size > 0 and math.isfinite(size)):
        raise ValueError("the smallest difference that matters cannot be 0: no number of topics shows that")
    return size


def _check(n_topics: int, alpha: float, power: float) -> None:
    if n_topics < 2:
        raise ValueError(f"a paired t-test needs at least two topics, not {n_topics}")
    checked_levels(alpha, power)


def checked_levels(alpha: float, power: float) -> None:
    """Raises `ValueError` for an alpha or a power outside (0, 1)."""
    if not 0 < alpha < 1:
        raise ValueError(f"alpha lies between 0 and 1, not {alpha}")
    if not 0 < power < 1:
        raise ValueError(f"the power lies between 0 and 1, not {power}")
