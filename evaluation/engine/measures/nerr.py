"""Normalised expected reciprocal rank."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.ideal import ideal_before, ideal_running_product
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.measures.err import ERR
from evaluation.engine.rankings import Rankings
from evaluation.engine.user_models import satisfying


@dataclass(frozen=True, kw_only=True)
class NERR(Measure):
    """ERR over the ERR of the best possible order of all judged documents, which is cut at k too.

    The top grade enters as in ERR. No relevant document: 0. (NERR8 … NERR11 are other measures.)

    Sakai and Song, Evaluating diversified search results using per-intent graded relevance, SIGIR 2011.
    """

    family: ClassVar[str] = "nERR"
    cut: ClassVar[Cut] = "may"
    uses_top_grade: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.ratio(ERR(cutoff=self.cutoff).per_topic(rankings), self._ideal(rankings))

    def _ideal(self, rankings: Rankings) -> Floats:
        chance = rankings.ideal_by_grade(lambda grade: satisfying(grade, rankings.top_grade))
        ends_here = ideal_before(rankings, ideal_running_product(rankings, 1.0 - chance), 1.0) * chance
        return rankings.ideal_total(
            rankings.where(rankings.ideal_rank <= self.depth, ends_here / rankings.ideal_rank, 0.0)
        )
