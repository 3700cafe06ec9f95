"""Unjudged at k."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class UnjudgedShare(Measure):
    """The unjudged documents among the first k, over k: a warning that the other values stand on little.

    Both kinds count: not in the qrels, and of a negative grade there. Ranks that a short run does not have count as
    judged; Judged@k divides by what there is. Nothing retrieved: 0.

    As `unj` in trec_eval 10.
    """

    family: ClassVar[str] = "Unj"
    is_quality: ClassVar[bool] = False
    cut: ClassVar[Cut] = "must"
    trec_eval: ClassVar[Mapping[str, str]] = {"unj": "@"}
    trec_eval_cutoffs: ClassVar[tuple[float, ...]] = (5, 10, 20)
    averages_ties: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        n_judged = rankings.total((rankings.grade >= 0) & (rankings.rank <= self.depth))
        return (rankings.minimum(rankings.n_retrieved, self.depth) - n_judged) / self.depth
