"""Precision at k."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.measures.parameters import Parameter
from evaluation.engine.rankings import Rankings
from evaluation.engine.trec_eval_names import CUTOFFS


@dataclass(frozen=True, kw_only=True)
class Precision(BinaryMeasure):
    """The relevant documents among the first k, over k, also where fewer than k were retrieved.

    Unjudged documents count as not relevant. Cleverdon, Mills and Keen, Factors determining the performance of indexing
    systems, 1966.
    """

    family: ClassVar[str] = "P"
    also: ClassVar[Mapping[str, Mapping[str, Parameter]]] = {"Precision": {}}
    cut: ClassVar[Cut] = "must"
    trec_eval: ClassVar[Mapping[str, str]] = {"P": "@"}
    trec_eval_cutoffs: ClassVar[tuple[float, ...]] = CUTOFFS
    averages_ties: ClassVar[bool] = True
    has_bounds: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.n_relevant_found(self.rel, self.depth) / self.depth
