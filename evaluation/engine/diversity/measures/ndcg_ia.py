"""nDCG-IA: nDCG, expected over intents."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.diversity.measures.base import DiversityMeasure
from evaluation.engine.diversity.view import Intents
from evaluation.engine.measures.base import Cut, GainMeasure
from evaluation.engine.measures.ndcg import NDCG


@dataclass(frozen=True, kw_only=True)
class NDCGIA(GainMeasure, DiversityMeasure):
    """The mean over intents, weighted by their probabilities, of nDCG for the intent alone. Nothing relevant: 0.

    No ranking need reach 1, since one that is ideal for an intent is not so for the others. `rel` only says which
    intents count. Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009.
    """

    family: ClassVar[str] = "nDCG_IA"
    cut: ClassVar[Cut] = "may"

    def over_intents(self, intents: Intents) -> Floats:
        value = NDCG(cutoff=self.cutoff, gains=self.gains).per_topic(intents.each)
        return intents.expected(intents.each.where(intents.has_relevant(self.rel), value, 0.0), self.rel)
