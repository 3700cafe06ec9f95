"""Between which limits the values of a measure lie, by the name under which they are stored."""

import math

from evaluation.engine.diversity.measures import parse_diversity_measure
from evaluation.engine.measures import parse_measure
from evaluation.engine.sampled import parse_sampled_measure
from evaluation.engine.significance.intervals.result import MeanInterval

_PARSERS = (parse_measure, parse_diversity_measure, parse_sampled_measure)


def value_range(name: str) -> tuple[float, float]:
    """As `Measure.value_range`, also of measures that need other judgments; no limits where nobody knows the name."""
    for parse in _PARSERS:
        try:
            return parse(name).value_range()
        except ValueError:
            continue
    return -math.inf, math.inf


def mean_within(interval: MeanInterval, name: str) -> MeanInterval:
    """The interval of a mean of the measure, without what lies beyond its values."""
    return interval.within(*value_range(name))


def difference_within(interval: MeanInterval, name: str) -> MeanInterval:
    """That of a mean difference between two runs by the measure."""
    low, high = value_range(name)
    return interval.within(low - high, high - low)
