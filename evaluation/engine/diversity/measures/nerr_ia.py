"""nERR-IA: ERR-IA over that of the ideal ranking."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.diversity.ideal import cached_ranks
from evaluation.engine.diversity.measures.err_ia import Stopping
from evaluation.engine.diversity.view import Intents


@dataclass(frozen=True, kw_only=True)
class NERRIA(Stopping):
    """ERR-IA over the ERR-IA of the ideal ranking, which is greedy: at each rank the document with the highest chance
    to satisfy those who still read, equal ones by docno descending as bytes.

    With binary gains the ideal ranking is that of α-nDCG, and ndeval's. Nothing relevant: 0.

    Chapelle, Ji, Liao, Velipasaoglu, Lai and Wu, Intent-based diversification of web search results, Information
    Retrieval 14, 2011.
    """

    family: ClassVar[str] = "nERR_IA"
    limits: ClassVar[tuple[float, float]] = (0.0, math.inf)

    def over_intents(self, intents: Intents) -> Floats:
        return intents.each.ratio(self._err(intents), self._err(self._ideal(intents)))

    def _err(self, intents: Intents) -> Floats:
        return intents.total(intents.weight * self.reciprocal_rank(intents))

    def _ideal(self, intents: Intents) -> Intents:
        top = intents.top_grade

        def rows() -> tuple[Floats, Floats]:
            chance = intents.qrels.by_grade(lambda grade: self.chance(grade, top))
            return (chance > 0).astype(np.float64) if self.gains == "binary" else chance, 1.0 - chance

        key = ("stopping", self.rel, self.alpha, self.gains, top)
        return intents.of_ranking((key, self.depth), cached_ranks(intents.qrels, key, rows, self.depth))
