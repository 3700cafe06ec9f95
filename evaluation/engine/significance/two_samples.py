"""How many topics two runs need that were evaluated on different topics: the power of the two-sample t-test.

Two runs on the same topics are compared by their differences, which needs far fewer (`power`). Two
samples are what is left where topics cannot be shared: two tracks, two languages, topics of two
kinds.
"""

import math
from dataclasses import dataclass

from evaluation.engine.significance.power import (
    MOST_TOPICS,
    checked_effect,
    checked_levels,
    least_number,
    two_sided_power,
)


@dataclass(frozen=True)
class TwoSampleDesign:
    """A two-sided t-test at level `alpha` of two samples of topics finds a true difference of `effect` · `deviation`
    with this power."""

    n_first: int
    n_second: int
    effect: float  # the difference in standard deviations of the values within a sample: Cohen's d
    difference: float | None  # in the measure's own unit; None where only an effect was named
    deviation: float | None
    alpha: float
    power: float


def two_sample_power(
    n_first: int,
    n_second: int,
    *,
    difference: float | None = None,
    deviation: float | None = None,
    effect: float | None = None,
    alpha: float = 0.05,
) -> TwoSampleDesign:
    """How likely the topics of two samples show a true difference of means: P(|T| > t) for T noncentral t with
    n₁ + n₂ − 2 and δ = effect · √(n₁ n₂ / (n₁ + n₂)).

    Name either `difference` and `deviation` (the standard deviation of the values over topics, alike in both samples),
    or `effect`, their ratio. The sign does not matter. Raises `ValueError` for anything else, for fewer than two topics
    in a sample, for a difference of 0, a deviation that is not positive, and an alpha outside (0, 1).

    Cohen, Statistical Power Analysis for the Behavioral Sciences, 2nd edition, 1988, chapter 2.
    """
    size = checked_effect(difference, deviation, effect)
    checked_levels(alpha, 0.5)
    if min(n_first, n_second) < 2:
        raise ValueError(f"a two-sample t-test needs two topics in each sample, not {n_first} and {n_second}")
    power = _power(n_first, n_second, size, alpha)
    return TwoSampleDesign(n_first, n_second, size, difference, deviation, alpha, power)


def two_sample_sizes(
    *,
    difference: float | None = None,
    deviation: float | None = None,
    effect: float | None = None,
    ratio: float = 1.0,
    power: float = 0.8,
    alpha: float = 0.05,
) -> TwoSampleDesign:
    """The fewest topics in the first sample, with `ratio` times as many (rounded up) in the second, with which a true
    difference is found with at least this power; `power` of the result says what they reach.

    Arguments and errors as `two_sample_power`; also `ValueError` for a power outside (0, 1), a ratio that is not
    positive, and where more than a million topics would be needed in the first sample.

    Sakai, Topic set size design, Information Retrieval Journal 19, 2016 (its requirement for the two-sample t-test).
    """
    size = checked_effect(difference, deviation, effect)
    checked_levels(alpha, power)
    if not (ratio > 0 and math.isfinite(ratio)):
        raise ValueError(f"the second sample is a positive number of times as large as the first, not {ratio}")

    def reached(n: int) -> float:
        return _power(n, _second(n, ratio), size, alpha)

    if reached(MOST_TOPICS) < power:
        raise ValueError(f"a difference of {size:g} standard deviations needs more than {MOST_TOPICS:,} topics")
    n = least_number(lambda n: reached(n) >= power, least=2, most=MOST_TOPICS)
    return TwoSampleDesign(n, _second(n, ratio), size, difference, deviation, alpha, reached(n))


def _second(n_first: int, ratio: float) -> int:
    return max(2, math.ceil(round(ratio * n_first, 9)))


def _power(n_first: int, n_second: int, effect: float, alpha: float) -> float:
    n = n_first + n_second
    return two_sided_power(effect * math.sqrt(n_first / n * n_second), n - 2, alpha)
