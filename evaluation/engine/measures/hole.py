"""Holes at k: how far the qrels do not know what a run retrieved."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class Hole(Measure):
    """The documents among the first k that are not judged for the topic, over k.

    A negative grade is not a judgment. Ranks that a short run does not have are no holes, but k is still divided by.
    Nothing retrieved: 0. (BEIR counts only documents that are judged for no topic at all: at most this value.)

    Xiong and others, Approximate nearest neighbor negative contrastive learning for dense text retrieval, ICLR 2021
    (hole rate); Thakur and others, BEIR, NeurIPS 2021, datasets and benchmarks.
    """

    family: ClassVar[str] = "Hole"
    is_quality: ClassVar[bool] = False
    cut: ClassVar[Cut] = "must"
    averages_ties: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        n_judged = rankings.total((rankings.grade >= 0) & (rankings.rank <= self.depth))
        return (rankings.minimum(rankings.n_retrieved, self.depth) - n_judged) / self.depth
