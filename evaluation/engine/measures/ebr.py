"""Expected blended ratio."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.gains import Gains, check_gains
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.measures.q_measure import blended_ratio
from evaluation.engine.rankings import Rankings
from evaluation.engine.user_models import satisfied


@dataclass(frozen=True, kw_only=True)
class EBR(Measure):
    """The blended ratio (see Q) that a user meets where the user is satisfied (see ERR), as expected: Σ S(r) · BR(r).

    The top grade enters as in ERR, the weight β and the gains as in Q. No relevant document: 0.

    Sakai and Zeng, Retrieval evaluation measures that agree with users' SERP preferences, TOIS 39(2), 2021.
    """

    beta: float = 1.0
    gains: Gains = "linear"

    family: ClassVar[str] = "EBR"
    cut: ClassVar[Cut] = "may"
    uses_top_grade: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_gains(self.gains, "EBR")
        if not 0 <= self.beta < float("inf"):
            raise ValueError("the weight beta of EBR is a number of at least 0")

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.total(satisfied(rankings, self.depth) * blended_ratio(rankings, self.beta, self.gains))
