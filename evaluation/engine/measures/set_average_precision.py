"""Average precision of all that was retrieved, as a set."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class SetAveragePrecision(BinaryMeasure):
    """Precision times recall of the set that was retrieved: AP if every relevant document had the precision of the set.

    Unjudged documents count as not relevant. Nothing retrieved, or no relevant document: 0.

    As `set_map` in trec_eval.
    """

    family: ClassVar[str] = "SetAP"
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"set_map": ""}

    def per_topic(self, rankings: Rankings) -> Floats:
        hits = rankings.n_relevant_found(self.rel)
        return rankings.ratio(hits * hits, rankings.n_retrieved * rankings.n_relevant(self.rel))
