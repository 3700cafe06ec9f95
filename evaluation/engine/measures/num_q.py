"""How many topics there are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import CountMeasure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class NumQ(CountMeasure):
    """1 for each topic, so that the summary, a sum, counts the topics averaged over, missing ones among them.

    As `num_q` in trec_eval, which prints it for all topics alone.
    """

    family: ClassVar[str] = "NumQ"
    trec_eval: ClassVar[Mapping[str, str]] = {"num_q": ""}

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.where(rankings.n_retrieved >= 0, 1.0, 1.0)
