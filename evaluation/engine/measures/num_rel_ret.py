"""How many relevant documents were retrieved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, CountMeasure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class NumRelRet(CountMeasure, BinaryMeasure):
    """The relevant documents that the run has for the topic; the summary is their sum over topics.

    Unjudged documents count as not relevant. A topic that the run lacks: 0.

    As `num_rel_ret` in trec_eval, and `NumRet(rel=1)` in ir_measures.
    """

    family: ClassVar[str] = "NumRelRet"
    is_quality: ClassVar[bool] = True
    trec_eval: ClassVar[Mapping[str, str]] = {"num_rel_ret": ""}

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.n_relevant_found(self.rel)
