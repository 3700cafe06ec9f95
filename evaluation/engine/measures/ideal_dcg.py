"""DCG of the best possible ranking."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.gains import ideal_gain
from evaluation.engine.measures.base import Cut, GainMeasure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class IdealDCG(GainMeasure):
    """What nDCG divides by: DCG of all judged documents by descending gain, cut at k.

    A fact of the qrels, the same for every run, and for a missing topic too. `gains` as in nDCG. No gain to be had: 0.

    Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002; as `ideal_dcg` in
    trec_eval.
    """

    family: ClassVar[str] = "IDCG"
    limits: ClassVar[tuple[float, float]] = (0.0, math.inf)
    is_quality: ClassVar[bool] = False
    cut: ClassVar[Cut] = "may"
    trec_eval: ClassVar[Mapping[str, str]] = {"ideal_dcg": "="}
    averages_ties: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        best = rankings.where(rankings.ideal_rank <= self.depth, ideal_gain(rankings, self.gains), 0.0)
        return rankings.ideal_total(best / rankings.ideal_discount)
