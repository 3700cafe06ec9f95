"""Reciprocal rank."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.measures.parameters import Parameter
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class ReciprocalRank(BinaryMeasure):
    """One over the rank of the first relevant document; 0 if none is retrieved (within the cutoff).

    Unjudged documents count as not relevant. No relevant document: 0.

    Its mean is known as MRR. Kantor and Voorhees, The TREC-5 confusion track, Information Retrieval 2, 2000.
    """

    family: ClassVar[str] = "RR"
    also: ClassVar[Mapping[str, Mapping[str, Parameter]]] = {"MRR": {}}
    cut: ClassVar[Cut] = "may"
    trec_eval: ClassVar[Mapping[str, str]] = {"recip_rank": ""}
    averages_ties: ClassVar[bool] = True
    has_bounds: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.total(rankings.first_relevant(self.rel, self.depth) / rankings.rank)
