"""How many documents known not to be relevant were retrieved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, CountMeasure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class NumNonrelRet(CountMeasure, BinaryMeasure):
    """The judged documents below the level that the run has for the topic; the summary is their sum over topics.

    Unjudged documents, negative grades among them, do not count. As `num_nonrel_judged_ret` in trec_eval.
    """

    family: ClassVar[str] = "NumNonrelRet"
    trec_eval: ClassVar[Mapping[str, str]] = {"num_nonrel_judged_ret": ""}

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.total((rankings.grade >= 0) & (rankings.grade < self.rel))
