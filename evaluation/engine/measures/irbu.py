"""Intentwise rank-biased utility."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.measures.parameters import check_persistence
from evaluation.engine.rankings import Rankings
from evaluation.engine.user_models import satisfied


@dataclass(frozen=True, kw_only=True)
class IRBU(Measure):
    """How much is left of a user's patience at the rank where the user is satisfied, as expected: Σ p^r · S(r).

    S(r) is ERR's chance to be satisfied at rank r and no earlier, p the persistence (0 < p < 1). What is nothing but
    rank-biased utility without its diversity. The top grade enters as in ERR. No relevant document: 0.

    Sakai and Zeng, Retrieval evaluation measures that agree with users' SERP preferences, TOIS 39(2), 2021, with their
    p = .99; after Amigó, Spina and Carrillo-de-Albornoz, SIGIR 2018.
    """

    p: float = 0.99

    family: ClassVar[str] = "iRBU"
    cut: ClassVar[Cut] = "may"
    uses_top_grade: ClassVar[bool] = True
    has_bounds: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_persistence(self.p, "iRBU")

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.total(satisfied(rankings, self.depth) * rankings.by_rank(lambda rank: self.p**rank))
