"""What the measures of sampled judgments share."""

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.rankings import Rankings
from evaluation.engine.sampled.sample import Sample


@dataclass(frozen=True, kw_only=True)
class SampledMeasure(Measure):
    """A measure estimated from a sample, named and written as every measure."""

    cut: ClassVar[Cut] = "may"
    limits: ClassVar[tuple[float, float]] = (0.0, math.inf)  # an estimate may lie above what it estimates
    needs_strata: ClassVar[bool] = False

    @property
    def least_judged(self) -> float:
        """The part of the pool from which on an interval over topics holds (benchmarks/sampled_coverage.py): below,
        estimates are off on average, by more than the interval knows."""
        return 0.75

    @abstractmethod
    def estimate(self, sample: Sample) -> Floats:
        """The value for each topic, (n_topics,); 0 for a topic that is missing from the run."""

    def per_topic(self, rankings: Rankings) -> Floats:
        """Plain qrels do not say how the documents were chosen: always a `ValueError`."""
        raise ValueError(
            f"{self.family} is estimated from a sample of {rankings.n_topics} topics: evaluate_sampled does"
        )
