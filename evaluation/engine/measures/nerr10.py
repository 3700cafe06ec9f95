"""Nearly ERR, equation 10."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.measures.parameters import check_persistence
from evaluation.engine.rankings import Rankings
from evaluation.engine.user_models import nearly_err


@dataclass(frozen=True, kw_only=True)
class NERR10(Measure):
    """NERR8 with the patience of RBP and no last rank: the user goes on with the chance p · (1 − gain(i)).

    The gain is the grade over the top grade (of the scale, else of the qrels). Unjudged documents gain nothing. No
    relevant document: 0.

    Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between expected reciprocal rank and
    other metrics, ICTIR 2021, equation 10.
    """

    p: float = 0.9

    family: ClassVar[str] = "NERR10"
    cut: ClassVar[Cut] = "no"
    uses_top_grade: ClassVar[bool] = True
    has_bounds: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_persistence(self.p, "NERR10")

    def per_topic(self, rankings: Rankings) -> Floats:
        return nearly_err(
            rankings,
            self.depth,
            discount=lambda rank: self.p ** (rank - 1),
            rest=lambda rank: self.p**rank / (1 - self.p),
        )
