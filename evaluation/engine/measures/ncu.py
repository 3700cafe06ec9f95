"""Normalised cumulative utility."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.gains import Gains, check_gains, gain_of
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.measures.q_measure import blended_ratio
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class NCU(Measure):
    """The blended ratio (see Q) that users meet at the relevant document where they stop, over a population of users.

    `stop` says how many stop where. 'gu', graded-uniform: at each relevant document in proportion to its gain. 'rb',
    rank-biased: the share falls by `gamma` with every relevant document above. 'u', uniform, is Q. β = 0 makes the
    utility precision: NCU(stop='gu',beta=0) is the authors' NCU_gu,P and NCU(stop='u',beta=0) is AP. Who stops at a
    relevant document that was not retrieved meets nothing. Relevant is a grade ≥ 1. No relevant document: 0.

    Sakai and Robertson, Modelling a user population for designing information retrieval metrics, EVIA 2008.
    """

    stop: str = "gu"
    beta: float = 1.0
    gamma: float = 0.95
    gains: Gains = "linear"

    family: ClassVar[str] = "NCU"
    cut: ClassVar[Cut] = "no"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_gains(self.gains, "NCU")
        if self.stop not in ("u", "gu", "rb"):
            raise ValueError(f"NCU stops by 'u', 'gu' or 'rb', not {self.stop!r}")
        if not 0 <= self.beta < float("inf"):
            raise ValueError("the weight beta of NCU is a number of at least 0")
        if not 0 < self.gamma <= 1:
            raise ValueError("gamma of NCU is above 0 and at most 1")

    def per_topic(self, rankings: Rankings) -> Floats:
        share, whole = self._shares(rankings)
        met = rankings.where(rankings.grade >= 1, share * blended_ratio(rankings, self.beta, self.gains), 0.0)
        return rankings.ratio(rankings.total(met), whole)

    def _shares(self, rankings: Rankings) -> tuple[Floats, Floats]:
        """How many users stop at each found row, (n_found,), and at all relevant documents, (n_topics,)."""
        if self.stop == "u":
            return rankings.maximum(rankings.rank, 1.0) / rankings.rank, rankings.n_relevant(1)
        if self.stop == "gu":
            worth = rankings.ideal_by_grade(self._stopping)
            return rankings.by_grade(self._stopping), rankings.ideal_total(worth)
        relevant = rankings.grade >= 1
        share = rankings.previous(rankings.running_product(rankings.where(relevant, self.gamma, 1.0)), 1.0)
        best = rankings.ideal_by_rank(lambda rank: self.gamma ** (rank - 1))  # the relevant ones come first
        return share, rankings.ideal_total(rankings.where(rankings.ideal_grade >= 1, best, 0.0))

    def _stopping(self, grade: int) -> float:
        return max(gain_of(self.gains, grade), 0.0) if grade >= 1 else 0.0
