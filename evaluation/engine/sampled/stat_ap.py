"""statAP: average precision from a sample with unequal inclusion probabilities."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evaluation.engine.arrays import Floats, ratio
from evaluation.engine.measures.base import BinaryMeasure
from evaluation.engine.sampled.base import SampledMeasure
from evaluation.engine.sampled.sample import Sample


@dataclass(frozen=True, kw_only=True)
class StatAP(SampledMeasure, BinaryMeasure):
    """Every relevant document of the sample stands for 1/π documents, π its inclusion probability (Horvitz, Thompson).

    The sum, over the relevant documents retrieved, of 1/π times the estimated precision at their rank r, which is
    (1 + Σ 1/π of the relevant documents above) / r; over the estimated number of relevant documents, Σ 1/π over all
    of the sample. The sum is unbiased where documents are sampled independently; the quotient of two estimates is so
    only approximately. No relevant document in the sample: 0. With every π = 1 it is AP.

    Aslam and Pavlu, A practical sampling strategy for efficient retrieval evaluation, 2007; the million query track.
    """

    family: ClassVar[str] = "statAP"

    def estimate(self, sample: Sample) -> Floats:
        relevant = (sample.grade >= self.rel) & (sample.rank <= self.depth)
        weight = np.where(relevant, sample.prels.weight[sample.pair], 0.0)
        precision = (1.0 + sample.sum_above(weight)) / sample.rank
        return ratio(sample.total(weight * precision), sample.of_each_run(sample.n_relevant(self.rel)))
