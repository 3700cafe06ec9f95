"""How many unjudged documents were retrieved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure, Summary
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class NumUnjudgedRet(Measure):
    """The documents that the run has for the topic and nobody judged; the summary is their sum over topics.

    Both kinds count: not in the qrels, and of a negative grade there. As `num_nonjudged_ret` in trec_eval.
    """

    family: ClassVar[str] = "NumUnjudgedRet"
    is_quality: ClassVar[bool] = False
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"num_nonjudged_ret": ""}
    summary: ClassVar[Summary] = "sum"
    averages_ties: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.n_retrieved - rankings.total(rankings.grade >= 0)
