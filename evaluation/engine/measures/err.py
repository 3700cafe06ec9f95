"""Expected reciprocal rank."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.rankings import Rankings
from evaluation.engine.user_models import satisfied


@dataclass(frozen=True, kw_only=True)
class ERR(Measure):
    """One over the rank at which a user who reads from the top is satisfied, as expected.

    A document satisfies with the chance s = (2^grade − 1) / 2^top: ERR = Σ 1/r · s(r) · Π_{j < r} (1 − s(j)). The top
    is that of the scale (`max_grade`), else the highest grade of the qrels; gdeval always takes 4. Even the best
    ranking stays below 1. Unjudged documents satisfy nobody. No relevant document: 0.

    Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009.
    """

    family: ClassVar[str] = "ERR"
    cut: ClassVar[Cut] = "may"
    uses_top_grade: ClassVar[bool] = True
    has_bounds: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.total(satisfied(rankings, self.depth) / rankings.rank)
