"""F1 at k."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class F1(BinaryMeasure):
    """The harmonic mean of precision and recall at k, which is 2 · (relevant among the first k) / (k + R).

    R counts all relevant documents of the qrels. Unjudged documents count as not relevant. No relevant document: 0.
    (Of everything retrieved, without a cutoff, it is trec_eval's `set_F`.)

    van Rijsbergen, Information retrieval, 1979, chapter 7, as F at k in ranx.
    """

    family: ClassVar[str] = "F1"
    cut: ClassVar[Cut] = "must"
    averages_ties: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        hits = rankings.n_relevant_found(self.rel, self.depth)
        return 2.0 * hits / (self.depth + rankings.n_relevant(self.rel))
