"""α-nDCG: α-DCG over that of the ideal ranking."""

import math
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.diversity.measures.alpha_dcg import novel_gain
from evaluation.engine.diversity.measures.base import DiversityMeasure
from evaluation.engine.diversity.novelty import ideal_for_novelty
from evaluation.engine.diversity.view import Intents
from evaluation.engine.measures.base import Cut


@dataclass(frozen=True, kw_only=True)
class AlphaNDCG(DiversityMeasure):
    """α-DCG over the α-DCG of the ideal ranking of all judged documents, which is cut at k too.

    The ideal ranking is greedy: at each rank the document that adds most, equal ones by docno descending as bytes
    (ndeval). It can be beaten, so a value may exceed 1 by a little. Nothing relevant: 0.

    Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and diversity in information retrieval
    evaluation, SIGIR 2008.
    """

    alpha: float = 0.5

    family: ClassVar[str] = "alpha_nDCG"
    limits: ClassVar[tuple[float, float]] = (0.0, math.inf)
    cut: ClassVar[Cut] = "may"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.refuse_outside("alpha", 0, 1)

    def over_intents(self, intents: Intents) -> Floats:
        ideal = ideal_for_novelty(intents, self.rel, self.alpha, self.depth)
        return intents.each.ratio(self._dcg(intents), self._dcg(ideal))

    def _dcg(self, intents: Intents) -> Floats:
        return intents.total(intents.weight * novel_gain(intents, self.rel, self.alpha, self.depth))
