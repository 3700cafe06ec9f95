"""Nearly ERR, equation 11."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.rankings import Rankings
from evaluation.engine.user_models import nearly_err, squares_from


@dataclass(frozen=True, kw_only=True)
class NERR11(Measure):
    """NERR8 with the goal of INSQ: the user goes on with the chance (1 − gain(i)) · ((i + 2T − 1) / (i + 2T))².

    T is how many documents of the top grade the user expects to need; the gain is the grade over the top grade (of the
    scale, else of the qrels). All ranks there can be count, or the first k; cwl_eval, and so ir_measures, has
    k = 1000. Unjudged documents gain nothing. No relevant document: 0.

    Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between expected reciprocal rank and
    other metrics, ICTIR 2021, equation 11.
    """

    T: float = 1.0

    family: ClassVar[str] = "NERR11"
    cut: ClassVar[Cut] = "may"
    uses_top_grade: ClassVar[bool] = True
    has_bounds: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.T < float("inf"):
            raise ValueError("T of NERR11 is a number above 0")

    def per_topic(self, rankings: Rankings) -> Floats:
        end = squares_from(self.depth + 2 * self.T)
        return nearly_err(
            rankings,
            self.depth,
            discount=lambda rank: (rank + 2 * self.T - 1) ** -2,
            rest=lambda rank: squares_from(rank + 2 * self.T) - end,
        )
