"""Discounted cumulative gain."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.gains import found_gain, gain_of
from evaluation.engine.measures.base import Cut, GainMeasure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class DCG(GainMeasure):
    """Σ gain(grade) / discount(rank): what nDCG divides by that of the best ranking. It has no upper limit.

    `gains` as in nDCG: 'linear', the grade; 'exp', 2^grade − 1; or a table. `discount` 'rank+1': log_base(rank + 1), as
    nDCG and trec_eval; 'rank': the authors' own, 1 for ranks below the base, then log_base(rank). A grade below 0 gains
    nothing, nor does an unjudged document.

    Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002. Exponential gains:
    Burges and others, Learning to rank using gradient descent, ICML 2005.
    """

    discount: str = "rank+1"
    base: float = 2.0

    family: ClassVar[str] = "DCG"
    limits: ClassVar[tuple[float, float]] = (0.0, math.inf)
    cut: ClassVar[Cut] = "may"
    trec_eval: ClassVar[Mapping[str, str]] = {"dcg": "="}
    averages_ties: ClassVar[bool] = True
    has_bounds: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.discount not in ("rank", "rank+1"):
            raise ValueError(f"the discount of DCG is 'rank+1' or 'rank', not {self.discount!r}")
        if not 1 < self.base < math.inf:
            raise ValueError("the base of DCG is a number above 1")

    def is_bounded(self, top_grade: int) -> bool:
        """No gain may lie below that of an unjudged document, 0, or above that of the top grade."""
        gain = [gain_of(self.gains, grade) for grade in range(top_grade + 1)]
        return min(gain) >= 0 and max(gain) == gain[-1]

    def per_topic(self, rankings: Rankings) -> Floats:
        gain = rankings.where(rankings.rank <= self.depth, found_gain(rankings, self.gains), 0.0)
        return rankings.total(gain / rankings.by_rank(self._discount))

    def _discount(self, rank: int) -> float:
        if self.discount == "rank":
            return max(1.0, math.log2(rank) / math.log2(self.base))
        return math.log2(rank + 1) / math.log2(self.base)
