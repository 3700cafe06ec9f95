"""Recall of all that was retrieved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class SetRecall(BinaryMeasure):
    """The relevant documents retrieved, over all relevant documents of the qrels. No relevant document: 0.

    van Rijsbergen, Information retrieval, second edition, 1979, chapter 7; as `set_recall` in trec_eval.
    """

    family: ClassVar[str] = "SetR"
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"set_recall": ""}
    averages_ties: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.ratio(rankings.n_relevant_found(self.rel), rankings.n_relevant(self.rel))
