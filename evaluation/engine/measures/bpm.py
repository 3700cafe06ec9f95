"""The Bejeweled player model."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.rankings import Rankings
from evaluation.engine.user_models import scaled_gain


@dataclass(frozen=True, kw_only=True)
class BPM(Measure):
    """The gain per document of a user who stops when the gain reaches T, and at rank k at the latest.

    The gain is the grade over the top grade (of the scale, else of the qrels). A run of fewer than k documents that
    do not suffice is read to rank k. This is the static model. Unjudged documents gain nothing; no relevant one: 0.

    Zhang, Liu, Li, Zhang, Xu and Ma, Evaluating web search with a Bejeweled player model, SIGIR 2017, with gains scaled
    to at most 1 as in cwl_eval.
    """

    T: float = 1.0

    family: ClassVar[str] = "BPM"
    cut: ClassVar[Cut] = "must"
    uses_top_grade: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.T < float("inf"):
            raise ValueError("T of BPM is a number above 0")

    def per_topic(self, rankings: Rankings) -> Floats:
        so_far = rankings.running_sum(rankings.maximum(rankings.grade, 0.0))  # whole grades: their sum is exact
        enough = so_far >= self.T * rankings.top_grade
        ends_here = enough & (rankings.running(enough) == 1) & (rankings.rank <= self.depth)
        ended = rankings.total(ends_here)
        stop = rankings.total(rankings.where(ends_here, rankings.rank, 0.0)) + (1.0 - ended) * self.depth
        met = rankings.where(rankings.rank <= stop[rankings.topic], scaled_gain(rankings, self.depth), 0.0)
        return rankings.total(met) / stop
