"""INSQ: inverse squares."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.rankings import Rankings
from evaluation.engine.user_models import scaled_gain, squares_from


@dataclass(frozen=True, kw_only=True)
class INSQ(Measure):
    """The gain a user meets who expects to need T documents of the top grade, and tires by the inverse square of rank.

    Attention to rank i is proportional to 1/(i + 2T − 1)²: the user goes on from it with the chance
    ((i + 2T − 1) / (i + 2T))². The gain is the grade over the top grade (of the scale, else of the qrels). Attention is
    shared among all ranks there can be, or among the first k; cwl_eval, and so ir_measures, has k = 1000. Unjudged
    documents gain nothing.

    Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS 2012.
    """

    T: float = 1.0

    family: ClassVar[str] = "INSQ"
    cut: ClassVar[Cut] = "may"
    averages_ties: ClassVar[bool] = True
    uses_top_grade: ClassVar[bool] = True
    has_bounds: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.T < float("inf"):
            raise ValueError("T of INSQ is a number above 0")

    def per_topic(self, rankings: Rankings) -> Floats:
        begin = 2 * self.T - 1
        attention = rankings.by_rank(lambda rank: (rank + begin) ** -2)
        everything = squares_from(1 + begin) - squares_from(self.depth + 1 + begin)
        return rankings.total(scaled_gain(rankings, self.depth) * attention) / everything
