"""Normalised discounted cumulative gain."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.gains import discounted_gain, discounted_ideal_gain
from evaluation.engine.measures.base import Cut, GainMeasure
from evaluation.engine.rankings import Rankings
from evaluation.engine.trec_eval_names import CUTOFFS


@dataclass(frozen=True, kw_only=True)
class NDCG(GainMeasure):
    """DCG over the DCG of the best possible order of all judged documents, which is cut at k too.

    DCG = Σ gain(grade) / log2(rank + 1). The gain is the grade (`gains='linear'`, as trec_eval), 2^grade − 1
    (`gains='exp'`) or what a table says (`gains={1:3.5,2:9}`; grades it does not name gain themselves). Negative grades
    are not judged and gain nothing, nor does grade 0 unless a table names it; a negative gain counts in the ranking,
    not in the best order. No gain to be had: 0.

    Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002. Exponential gains:
    Burges and others, Learning to rank using gradient descent, ICML 2005.
    """

    family: ClassVar[str] = "nDCG"
    cut: ClassVar[Cut] = "may"
    trec_eval: ClassVar[Mapping[str, str]] = {"ndcg": "=", "ndcg_cut": "@"}
    trec_eval_cutoffs: ClassVar[tuple[float, ...]] = CUTOFFS
    averages_ties: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        gain, best = discounted_gain(rankings, self.gains), discounted_ideal_gain(rankings, self.gains)
        return rankings.ratio(
            rankings.total(rankings.cut(gain, self.depth)), rankings.ideal_total(rankings.ideal_cut(best, self.depth))
        )
