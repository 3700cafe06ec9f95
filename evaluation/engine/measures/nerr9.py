"""Nearly ERR, equation 9."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.rankings import Rankings
from evaluation.engine.user_models import harmonic, nearly_err


@dataclass(frozen=True, kw_only=True)
class NERR9(Measure):
    """NERR8 for a user who also tires as in ERR: from rank i < k goes on with the chance (1 − gain(i)) · i / (i + 1).

    So rank i is discounted by 1/i. The gain is the grade over the top grade (of the scale, else of the qrels). Unjudged
    documents gain nothing. No relevant document: 0.

    Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between expected reciprocal rank and
    other metrics, ICTIR 2021, equation 9.
    """

    family: ClassVar[str] = "NERR9"
    cut: ClassVar[Cut] = "must"
    uses_top_grade: ClassVar[bool] = True
    has_bounds: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        every = harmonic(int(self.depth))
        return nearly_err(
            rankings, self.depth, discount=lambda rank: 1 / rank, rest=lambda rank: every - harmonic(rank)
        )
