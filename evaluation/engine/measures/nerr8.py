"""Nearly ERR, equation 8."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.rankings import Rankings
from evaluation.engine.user_models import nearly_err


@dataclass(frozen=True, kw_only=True)
class NERR8(Measure):
    """The gain per document of a user who stops at a document with the chance of its gain, and at rank k for certain.

    From rank i < k the user goes on with the chance 1 − gain(i); the gain is the grade over the top grade (of the
    scale, else of the qrels). Unjudged documents gain nothing and stop nobody. No relevant document: 0.

    Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between expected reciprocal rank and
    other metrics, ICTIR 2021, equation 8.
    """

    family: ClassVar[str] = "NERR8"
    cut: ClassVar[Cut] = "must"
    uses_top_grade: ClassVar[bool] = True
    has_bounds: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        return nearly_err(rankings, self.depth, discount=lambda rank: 1.0, rest=lambda rank: self.depth - rank)
