"""R-precision."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class RPrecision(BinaryMeasure):
    """Precision at rank R, where R is the number of relevant documents of the qrels.

    A run with fewer than R documents is divided by R all the same. There precision and recall are equal. Unjudged
    documents count as not relevant. No relevant document: 0.

    Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000.
    """

    family: ClassVar[str] = "Rprec"
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"Rprec": ""}
    averages_ties: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        n_relevant = rankings.n_relevant(self.rel)
        hits = rankings.total(rankings.relevant(self.rel) & (rankings.rank <= rankings.of_topic(n_relevant)))
        return rankings.ratio(hits, n_relevant)
