"""Yet another average precision."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.rankings import Rankings
from evaluation.engine.sequential import each


@dataclass(frozen=True, kw_only=True)
class Yaap(BinaryMeasure):
    """ln((1 + S) / (1 + R − S)), where S is the sum of the precisions at the relevant documents retrieved, AP · R.

    It orders rankings of a topic as AP does, but can be averaged over topics with less harm; it has no bounds, and 0
    where half of what could be had was. No relevant document: 0. Nothing relevant retrieved: −ln(1 + R), also for a
    missing topic. Unjudged documents count as not relevant.

    Robertson, On smoothing average precision, ECIR 2012.
    """

    family: ClassVar[str] = "yaap"
    limits: ClassVar[tuple[float, float]] = (-math.inf, math.inf)
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"yaap": ""}

    def per_topic(self, rankings: Rankings) -> Floats:
        relevant = rankings.grade >= self.rel
        summed = rankings.total(rankings.where(relevant, rankings.running(relevant) / rankings.rank, 0.0))
        return each(rankings, math.log, (1.0 + summed) / (1.0 + rankings.n_relevant(self.rel) - summed))
