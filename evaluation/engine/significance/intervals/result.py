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
    method: Method
    n_resamples: int = 0  # 0: not a bootstrap

    def within(self, least: float, greatest: float) -> "MeanInterval":
        """Without what lies beyond the values that there can be: no mean is there. The mean itself is never left out,
        and NaN stays."""
        low, high = max(self.low, min(least, self.mean)), min(self.high, max(greatest, self.mean))
        return replace(self, low=low, high=high)


def mean_of(value: Floats) -> float:
    """The mean of (n_topics,), added up in the order of the topics, as the scorer does."""
    return float(np.add.accumulate(value)[-1] / value.size)
