"""Success at k."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.measures.parameters import Parameter
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class Success(BinaryMeasure):
    """1 if a relevant document is among the first k, else 0.

    Unjudged documents count as not relevant. The mean over topics is known as hit rate.

    Tomlinson, Early precision measures: implications from the downside of blind feedback, SIGIR 2006.
    """

    family: ClassVar[str] = "Success"
    also: ClassVar[Mapping[str, Mapping[str, Parameter]]] = {"HitRate": {}}
    cut: ClassVar[Cut] = "must"
    trec_eval: ClassVar[Mapping[str, str]] = {"success": "@"}
    trec_eval_cutoffs: ClassVar[tuple[float, ...]] = (1, 5, 10)
    averages_ties: ClassVar[bool] = True
    has_bounds: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.total(rankings.first_relevant(self.rel, self.depth))
