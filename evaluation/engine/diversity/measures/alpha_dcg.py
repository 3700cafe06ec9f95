"""α-DCG: discounted cumulative gain that pays less for what was seen before."""

import math
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.diversity.measures.base import DiversityMeasure
from evaluation.engine.diversity.novelty import novelty
from evaluation.engine.diversity.view import Intents
from evaluation.engine.measures.base import Cut


@dataclass(frozen=True, kw_only=True)
class AlphaDCG(DiversityMeasure):
    """Σ over ranks and intents of (1 − α)^(relevant documents of the intent above) / log2(rank + 1).

    `alpha` is how little a repetition is worth: 0 pays all alike, 1 only the first. `norm='all'` (ndeval, ir_measures):
    the mean over intents, over what a ranking would have whose every document is relevant to every intent; 0 to 1.
    `norm='none'`: the sum as the paper has it, weighted by the probabilities of the intents where they are given. At a
    cutoff of 1 ndeval forgets to divide; here 'all' divides at every cutoff. Nothing relevant: 0.

    Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and diversity in information retrieval
    evaluation, SIGIR 2008.
    """

    alpha: float = 0.5
    norm: str = "all"

    family: ClassVar[str] = "alpha_DCG"
    limits: ClassVar[tuple[float, float]] = (0.0, math.inf)
    cut: ClassVar[Cut] = "must"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.refuse_outside("alpha", 0, 1)
        if self.norm not in ("all", "none"):
            raise ValueError(f"the norm of {self.family} is 'all' or 'none', not {self.norm!r}")

    def over_intents(self, intents: Intents) -> Floats:
        dcg = novel_gain(intents, self.rel, self.alpha, self.depth)
        if self.norm == "none":
            return intents.total(intents.weight * dcg)
        return intents.expected(dcg, self.rel) / self._most()

    def _most(self) -> float:
        """What every rank would add to an intent, were all documents relevant to it."""
        ranks = range(1, int(self.cutoff or 0) + 1)
        return math.fsum((1.0 - self.alpha) ** (rank - 1) / math.log2(rank + 1) for rank in ranks)


def novel_gain(intents: Intents, rel: int, alpha: float, depth: float) -> Floats:
    """The discounted gain of each intent. (n_intents,)"""
    return intents.each.total(novelty(intents, rel, alpha, depth) / intents.each.discount)
