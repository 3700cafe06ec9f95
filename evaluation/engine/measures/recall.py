"""Recall at k."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut, Measure
from evaluation.engine.measures.parameters import Parameter
from evaluation.engine.rankings import Rankings
from evaluation.engine.trec_eval_names import CUTOFFS


@dataclass(frozen=True, kw_only=True)
class Recall(BinaryMeasure):
    """The relevant documents among the first k, over all R relevant documents of the qrels. No relevant document: 0.

    `capped`: over min(k, R) instead, so that a perfect ranking has 1 at every k. trec_eval calls that relative_P, BEIR
    R_cap: precision up to rank R, recall beyond. Unjudged documents count as not relevant.

    Cleverdon, Mills and Keen, Factors determining the performance of indexing systems, 1966. Capped: Thakur and others,
    BEIR, NeurIPS Datasets and Benchmarks 2021.
    """

    capped: bool = False

    family: ClassVar[str] = "R"
    also: ClassVar[Mapping[str, Mapping[str, Parameter]]] = {"Recall": {}, "R_cap": {"capped": True}}
    cut: ClassVar[Cut] = "must"
    trec_eval: ClassVar[Mapping[str, str]] = {"recall": "@", "relative_P": "@"}
    trec_eval_cutoffs: ClassVar[tuple[float, ...]] = CUTOFFS
    averages_ties: ClassVar[bool] = True

    @classmethod
    def at_trec_eval_cutoff(cls, name: str, cutoff: float) -> Measure:
        return cls(cutoff=cutoff, capped=name == "relative_P")

    def per_topic(self, rankings: Rankings) -> Floats:
        hits = rankings.n_relevant_found(self.rel, self.depth)
        n_relevant = rankings.n_relevant(self.rel)
        return rankings.ratio(hits, rankings.minimum(n_relevant, self.depth) if self.capped else n_relevant)
