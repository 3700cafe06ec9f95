"""How many relevant documents were retrieved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut, Summary
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class NumRelRet(BinaryMeasure):
    """The relevant documents that the run has for the topic; the summary is their sum over topics.

    Unjudged documents count as not relevant. A topic that the run lacks: 0.

    As `num_rel_ret` in trec_eval, and `NumRet(rel=1)` in ir_measures.
    """

    family: ClassVar[str] = "NumRelRet"
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"num_rel_ret": ""}
    summary: ClassVar[Summary] = "sum"
    averages_ties: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.total(rankings.grade >= self.rel)
