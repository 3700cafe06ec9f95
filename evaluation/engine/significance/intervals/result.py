"""The result of every kind of interval."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from evaluation.engine.arrays import Floats

Method: TypeAlias = Literal["t", "studentised", "percentile", "basic", "bca"]


@dataclass(frozen=True)
class MeanInterval:
    """A mean over topics with its confidence interval; `deviation` is the standard deviation (n − 1)."""

    mean: float
    low: float
    high: float
    deviation: float
    n_topics: int
    confidence: float
    method: Method | Literal["score"]
    n_resamples: int = 0  # 0: not a bootstrap

    def within(self, least: float, greatest: float) -> "MeanInterval":
        """As `ends_within`."""
        low, high = ends_within(self.mean, (self.low, self.high), (least, greatest))
        return replace(self, low=low, high=high)


def ends_within(value: float, ends: tuple[float, float], limits: tuple[float, float]) -> tuple[float, float]:
    """An interval without what lies beyond the least and the greatest that there can be. The value itself is never left
    out, and NaN stays."""
    (low, high), (least, greatest) = ends, limits
    return max(low, min(least, value)), min(high, max(greatest, value))


def mean_of(value: Floats) -> float:
    """The mean of (n_topics,), added up in the order of the topics, as the scorer does."""
    return float(np.add.accumulate(value)[-1] / value.size)
