"""xinfAP: extended inferred average precision."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evaluation.engine.arrays import Floats, ratio
from evaluation.engine.measures.base import BinaryMeasure
from evaluation.engine.sampled.base import SampledMeasure
from evaluation.engine.sampled.prels import Strata
from evaluation.engine.sampled.sample import Sample


@dataclass(frozen=True, kw_only=True)
class XInfAP(SampledMeasure, BinaryMeasure):
    """Average precision from a stratified sample of the pool.

    The precision expected at a relevant document of rank r is (1 + Σ n (rel + ε) / (judged + 3ε)) / r: over the strata,
    with the n pooled documents of the stratum above it, of which so many are judged and so many judged relevant.
    Documents outside the pool are not relevant. Each judged relevant document stands for pooled / judged documents of
    its stratum. Their sum is divided by the estimated number of relevant documents, with a cutoff by k if that is
    less. No relevant document in the sample: 0. With one stratum, all of it judged, and ε = 0 it is AP.

    `xinfAP@1000` is what TREC's sample_eval.pl prints as infAP (its version of 2012).

    Yilmaz, Kanoulas and Aslam, A simple and efficient sampling method for estimating AP and NDCG, SIGIR 2008.
    """

    eps: float = 1e-5

    family: ClassVar[str] = "xinfAP"
    needs_strata: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.eps <= 1:
            raise ValueError("the eps of xinfAP is from 0 to 1")

    def estimate(self, sample: Sample) -> Floats:
        strata = sample.prels.strata
        assert strata is not None
        relevant = (sample.grade >= self.rel) & (sample.rank <= self.depth)
        precision = (1.0 + self._expected_above(sample, strata)) / sample.rank
        weight = strata.weight[strata.of_pair[sample.pair]]
        total = sample.total(np.where(relevant, weight * precision, 0.0))
        return ratio(total, sample.of_each_run(np.minimum(sample.n_relevant(self.rel), self.depth)))

    def _expected_above(self, sample: Sample, strata: Strata) -> Floats:
        """The relevant documents expected above each found row, stratum after stratum. (n_found,)"""
        ordinal = strata.ordinal[strata.of_pair[sample.pair]]
        judged, relevant = sample.grade >= 0, sample.grade >= self.rel
        expected = np.zeros(sample.rank.size)
        for n in range(int(ordinal.max(initial=-1)) + 1):
            own = ordinal == n
            part = sample.n_above(own & relevant) + self.eps
            whole = sample.n_above(own & judged) + 3 * self.eps
            share = np.divide(part, whole, out=np.zeros(part.size), where=whole > 0)
            expected += sample.n_above(own) * share
        return expected
