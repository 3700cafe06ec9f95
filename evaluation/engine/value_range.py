"""Between which limits the values of a measure lie, by the name under which they are stored."""

import math

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.diversity.measures import parse_diversity_measure
from evaluation.engine.measures import parse_measure
from evaluation.engine.sampled import parse_sampled_measure
from evaluation.engine.significance.intervals.result import MeanInterval
from evaluation.engine.significance.intervals.score import score_interval
from evaluation.engine.significance.intervals.student import t_interval

_PARSERS = (parse_measure, parse_diversity_measure, parse_sampled_measure)


def value_range(name: str) -> tuple[float, float]:
    """As `Measure.value_range`, also of measures that need other judgments; no limits where nobody knows the name."""
    for parse in _PARSERS:
        try:
            return parse(name).value_range()
        except ValueError:
            continue
    return -math.inf, math.inf


def interval_of_mean(value: ArrayLike, name: str, *, confidence: float = 0.95) -> MeanInterval:
    """That of a run's mean by the measure: the score interval where its values have two limits, or estimate some that
    have, else Student's t without what lies beyond the one that they have. Errors as these."""
    limits = value_range(name)
    if is_sampled(name):  # what is estimated lies between 0 and 1, estimates may lie above
        limits = (0.0, max(1.0, float(np.max(value))))
    if math.isfinite(limits[0]) and math.isfinite(limits[1]):
        return score_interval(value, limits, confidence=confidence)
    return t_interval(value, confidence=confidence).within(*limits)


def is_sampled(name: str) -> bool:
    """Whether the measure is estimated from a sample of judgments."""
    try:
        return bool(parse_sampled_measure(name))
    except ValueError:
        return False


def mean_within(interval: MeanInterval, name: str) -> MeanInterval:
    """The interval of a mean of the measure, without what lies beyond its values."""
    return interval.within(*value_range(name))


def difference_within(interval: MeanInterval, name: str) -> MeanInterval:
    """That of a mean difference between two runs by the measure."""
    low, high = value_range(name)
    return interval.within(low - high, high - low)
