"""nNRBP: NRBP over that of the ideal ranking."""

import math
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.diversity.measures.nrbp import Patience
from evaluation.engine.diversity.novelty import ideal_for_novelty
from evaluation.engine.diversity.view import Intents


@dataclass(frozen=True, kw_only=True)
class NNRBP(Patience):
    """NRBP over the NRBP of the ideal ranking of all judged documents, greedy as for α-nDCG. Nothing relevant: 0.

    Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries, ICTIR 2009, as
    ndeval computes it.
    """

    family: ClassVar[str] = "nNRBP"
    limits: ClassVar[tuple[float, float]] = (0.0, math.inf)

    def over_intents(self, intents: Intents) -> Floats:
        ideal = ideal_for_novelty(intents, self.rel, self.alpha, self.depth)
        return intents.each.ratio(self._nrbp(intents), self._nrbp(ideal))

    def _nrbp(self, intents: Intents) -> Floats:
        return intents.total(intents.weight * self.met(intents))
