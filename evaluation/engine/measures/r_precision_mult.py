"""Precision at a multiple of R."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.rankings import Rankings
from evaluation.engine.sequential import each

MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)


@dataclass(frozen=True, kw_only=True)
class RPrecisionMult(BinaryMeasure):
    """Precision at rank x·R, the cutoff x a multiple of the number R of relevant documents: topics at like milestones.

    The rank is x·R + 0.9 without its decimals, and is divided by also where fewer were retrieved. `RprecMult@1` is
    Rprec. No relevant document, or rank 0: 0. Unjudged documents count as not relevant.

    As `Rprec_mult` in trec_eval.
    """

    family: ClassVar[str] = "RprecMult"
    cut: ClassVar[Cut] = "must"
    cut_is: ClassVar[Literal["rank", "share"]] = "share"
    trec_eval: ClassVar[Mapping[str, str]] = {"Rprec_mult": "@"}
    trec_eval_cutoffs: ClassVar[tuple[float, ...]] = MULTIPLES
    averages_ties: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        multiple = self.depth
        rank = each(rankings, lambda n_relevant: float(int(multiple * n_relevant + 0.9)), rankings.n_relevant(self.rel))
        hits = rankings.total((rankings.grade >= self.rel) & (rankings.rank <= rank[rankings.topic]))
        return rankings.ratio(hits, rank)
