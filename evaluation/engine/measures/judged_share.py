"""Judged at k: how far the qrels know what a run retrieved."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class JudgedShare(Measure):
    """The judged documents among the first k, over the documents there are among them: min(k, retrieved).

    A negative grade is not a judgment. Nothing retrieved: 0. (trec_eval's `unj_k` divides by k, so that ranks a short
    run does not have count as judged; this measure has no name there.)

    As `Judged@k` in ir_measures: MacAvaney, Macdonald and Ounis, Streamlining evaluation with ir-measures, ECIR 2022.
    """

    family: ClassVar[str] = "Judged"
    is_quality: ClassVar[bool] = False
    cut: ClassVar[Cut] = "must"
    averages_ties: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        n_judged = rankings.total((rankings.grade >= 0) & (rankings.rank <= self.depth))
        return rankings.ratio(n_judged, rankings.minimum(rankings.n_retrieved, self.depth))
