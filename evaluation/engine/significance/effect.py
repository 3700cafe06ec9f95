"""How large a difference between two systems is, in standard deviations: d_z, d and g, never one without its name.

d_z divides the mean difference by the standard deviation of the differences: what decides how many
topics are needed. d and g divide it by the pooled standard deviation of the values: how far the
systems are apart beside how far topics are apart. On the same topics d_z is the larger where the
two systems' values rise and fall together.
"""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.inputs import checked_confidence, checked_values, is_constant, paired_difference
from evaluation.engine.significance.intervals.student import t_half_width
from evaluation.engine.significance.noncentral import noncentrality_interval

EffectName: TypeAlias = Literal["d_z", "d", "g"]

EXACT = "noncentral t"
WIDER = "the wider of noncentral t, scaled (Algina and Keselman 2003), and t by the delta method"


@dataclass(frozen=True)
class EffectSize:
    """A standardised mean difference; positive where the first system is the better. NaN only with a `note`."""

    name: EffectName
    value: float
    low: float
    high: float
    confidence: float
    n_topics: int
    interval: str  # how low and high were found
    note: str = ""  # why something is NaN


def effect_sizes(first: ArrayLike, second: ArrayLike, *, confidence: float = 0.95) -> tuple[EffectSize, ...]:
    """d_z, d and g of two systems' values on the same topics, (n_topics,) each, in this order."""
    paired = cohen_dz(paired_difference(first, second), confidence=confidence)
    return paired, _pooled("d", first, second, paired), _pooled("g", first, second, paired)


def cohen_dz(difference: ArrayLike, *, confidence: float = 0.95) -> EffectSize:
    """d_z = mean / standard deviation (n − 1) of the differences, (n_topics,).

    The interval is that of the noncentrality of t = d_z √n, over √n: exact for normally distributed differences. All
    differences equal: NaN, and the note says so. Raises `ValueError` for fewer than two topics, numbers that are not
    finite and a confidence outside (0, 1).

    Cohen, Statistical Power Analysis for the Behavioral Sciences, 2nd edition, 1988, §2.3. Interval: Cumming and Finch,
    A primer on confidence intervals based on central and noncentral distributions, EPM 61, 2001.
    """
    values = checked_values(difference)
    n = values.size
    checked_confidence(confidence)
    if is_constant(values):
        why = "all differences are equal: they have no standard deviation to divide by"
        return EffectSize("d_z", math.nan, math.nan, math.nan, confidence, n, EXACT, why)
    value = float(values.mean() / values.std(ddof=1))
    low, high = noncentrality_interval(value * math.sqrt(n), n - 1, confidence=confidence)
    return EffectSize("d_z", value, low / math.sqrt(n), high / math.sqrt(n), confidence, n, EXACT)


def cohen_d(first: ArrayLike, second: ArrayLike, *, confidence: float = 0.95) -> EffectSize:
    """Cohen's d = mean difference / s, s² = (s₁² + s₂²) / 2: the pooled variance of the two systems' values.

    `first` and `second`, (n_topics,), are the values of the same topics. The interval is the wider of two, end by end:
    d_z's times s_D / s, where s_D is the standard deviation of the differences, which takes values as normally
    distributed; and d ± t(2n − 2) · SE, which takes them as they are (`parts_of_d`): s rests on 2n − 2 degrees of
    freedom. Approximate: at a confidence of .95 they cover .943 to .964 of real values on average over pairs, and of a
    single pair .915 at the least, by AP (docs/statistics.md). NaN, with a note, where values or differences do
    not vary. Errors as `cohen_dz`.

    Cohen 1988, §2.2. Intervals: Algina and Keselman, Approximate confidence intervals for effect sizes, EPM 63, 2003;
    Efron, The Jackknife, the Bootstrap and Other Resampling Plans, 1982, chapter 6 (delta method, influence function).
    """
    return _pooled("d", first, second, cohen_dz(paired_difference(first, second), confidence=confidence))


def hedges_g(first: ArrayLike, second: ArrayLike, *, confidence: float = 0.95) -> EffectSize:
    """Hedges' g = J d, J = 1 − 3 / (4 (2n − 2) − 1): d freed of most of its bias with few topics.

    J is Hedges' approximation to the exact factor, as most programs have it. The interval is d's times J. Notes and
    errors as `cohen_d`.

    Hedges, Distribution theory for Glass's estimator of effect size, J. Educational Statistics 6(2), 1981.
    """
    return _pooled("g", first, second, cohen_dz(paired_difference(first, second), confidence=confidence))


def _pooled(name: EffectName, first: ArrayLike, second: ArrayLike, paired: EffectSize) -> EffectSize:
    """`paired` is d_z of the same values."""
    a, b, difference = checked_values(first), checked_values(second), paired_difference(first, second)
    confidence = paired.confidence
    if is_constant(a) and is_constant(b):
        why = "all values of each system are equal: they have no standard deviation to divide by"
        return EffectSize(name, math.nan, math.nan, math.nan, confidence, difference.size, WIDER, why)
    factor = _hedges_factor(a.size) if name == "g" else 1.0
    scale = factor / float(pooled_deviation(a, b))
    value = float(difference.mean()) * scale
    if paired.note:
        why = "all differences are equal: no interval"
        return EffectSize(name, value, math.nan, math.nan, confidence, difference.size, WIDER, why)
    scale *= float(difference.std(ddof=1))
    half = factor * float(half_width_of_d(a[:, None], b[:, None], confidence)[0])
    low, high = min(paired.low * scale, value - half), max(paired.high * scale, value + half)
    return EffectSize(name, value, low, high, confidence, difference.size, WIDER)


def half_width_of_d(first: Floats, second: Floats, confidence: float) -> Floats:
    """t(2n − 2) · SE, by the delta method, for each column of values, (n_topics, n_columns)."""
    return t_half_width(parts_of_d(first, second), confidence, freedom=2 * len(first) - 2)


def parts_of_d(first: Floats, second: Floats) -> Floats:
    """How d moves with the weight of each topic, but for a constant: the standard error of their mean is that of d.

    (x − y) / s − d · q / (2 q̄), q = (x − x̄)² + (y − ȳ)²: by its difference a topic moves the mean, by q it moves s.
    Takes and gives columns of values, (n_topics, n_columns).
    """
    d = (first.mean(axis=0) - second.mean(axis=0)) / pooled_deviation(first, second)
    square = (first - first.mean(axis=0)) ** 2 + (second - second.mean(axis=0)) ** 2
    parts: Floats = (first - second) / pooled_deviation(first, second) - d * square / (2 * square.mean(axis=0))
    return parts


def pooled_deviation(first: Floats, second: Floats) -> Floats:
    """s of each column: s² = (s₁² + s₂²) / 2."""
    pooled: Floats = np.sqrt((first.var(axis=0, ddof=1) + second.var(axis=0, ddof=1)) / 2)
    return pooled


def _hedges_factor(n_topics: int) -> float:
    return 1 - 3 / (4 * (2 * n_topics - 2) - 1)
