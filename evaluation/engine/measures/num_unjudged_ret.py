"""How many unjudged documents were retrieved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import CountMeasure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class NumUnjudgedRet(CountMeasure):
    """The documents that the run has for the topic and nobody judged; the summary is their sum over topics.

    Both kinds count: not in the qrels, and of a negative grade there. As `num_nonjudged_ret` in trec_eval.
    """

    family: ClassVar[str] = "NumUnjudgedRet"
    trec_eval: ClassVar[Mapping[str, str]] = {"num_nonjudged_ret": ""}

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.n_retrieved - rankings.total(rankings.grade >= 0)
