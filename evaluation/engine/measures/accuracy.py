"""Accuracy: how often a relevant document stands above one that is not."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class Accuracy(BinaryMeasure):
    """Of all pairs of a relevant and another document among the first k, the share with the relevant one above.

    Unjudged documents are the others too. Relevant documents that were not retrieved do not matter. Nothing relevant
    among the first k: 0; nothing else: 1. (The Accuracy of BEIR is Success.)

    As in ir_measures: MacAvaney, Macdonald and Ounis, Streamlining evaluation with ir-measures, ECIR 2022.
    """

    family: ClassVar[str] = "Accuracy"
    cut: ClassVar[Cut] = "may"

    def per_topic(self, rankings: Rankings) -> Floats:
        relevant = rankings.relevant(self.rel, self.depth)
        others_above = rankings.where(relevant, rankings.rank - rankings.running(relevant), 0.0)
        n_relevant = rankings.total(relevant)
        n_others = rankings.minimum(rankings.n_retrieved, self.depth) - n_relevant
        wrong = rankings.ratio(rankings.total(others_above), n_others * n_relevant)
        return rankings.where(n_relevant > 0, 1.0 - wrong, 0.0)
