"""How many relevant documents there are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, CountMeasure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class NumRel(CountMeasure, BinaryMeasure):
    """The relevant documents of the qrels, R, retrieved or not; the summary is their sum over topics.

    A topic that the run lacks counts too: R is a fact of the qrels. As `num_rel` in trec_eval.
    """

    family: ClassVar[str] = "NumRel"
    trec_eval: ClassVar[Mapping[str, str]] = {"num_rel": ""}

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.n_relevant(self.rel)
