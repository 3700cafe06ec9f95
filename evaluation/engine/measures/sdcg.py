"""Scaled discounted cumulative gain."""

import math
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.rankings import Rankings
from evaluation.engine.user_models import scaled_gain


@dataclass(frozen=True, kw_only=True)
class SDCG(Measure):
    """DCG over that of k documents of the top grade: as if there always were that many.

    The gain is the grade over the top grade (of the scale, else of the qrels), the discount log2(rank + 1). A share of
    attention goes to each of the k ranks, also where fewer were retrieved. Unjudged documents gain nothing.

    Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS 2012.
    """

    family: ClassVar[str] = "SDCG"
    cut: ClassVar[Cut] = "must"
    averages_ties: ClassVar[bool] = True
    uses_top_grade: ClassVar[bool] = True
    has_bounds: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cutoff is not None and self.cutoff > 1_000_000:
            raise ValueError("the cutoff of SDCG is at most 1,000,000: each rank up to it is summed")

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.total(scaled_gain(rankings, self.depth) / rankings.discount) / _discounts(int(self.depth))


@cache
def _discounts(k: int) -> float:
    """Σ 1 / log2(r + 1) up to rank k."""
    return math.fsum(1 / math.log2(rank + 1) for rank in range(1, k + 1))
