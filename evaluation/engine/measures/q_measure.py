"""Q-measure."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.gains import Gains, check_gains, found_gain, ideal_gain
from evaluation.engine.ideal import at_ideal_rank, ideal_running_sum
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class QMeasure(Measure):
    """AP with graded relevance: the mean over all R relevant documents of the blended ratio at the rank of each.

    Blended ratio at r: (C + β·cg) / (r + β·cg*), with C relevant documents up to r, the gain cg of the ranking up to r
    and cg* that of the best possible one. `gains` as in nDCG: the grade, 'exp' or a table; none below 0. β = 0 makes it
    AP, a large β lets the grades count more. With a cutoff: over min(k, R). Relevant is a grade ≥ 1; what is unjudged
    is not. No relevant document: 0.

    Sakai, Ranking the NTCIR systems based on multigrade relevance, AIRS 2004; the cutoff as in Sakai and Song,
    Evaluating diversified search results using per-intent graded relevance, SIGIR 2011.
    """

    beta: float = 1.0
    gains: Gains = "linear"

    family: ClassVar[str] = "Q"
    cut: ClassVar[Cut] = "may"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_gains(self.gains, "Q")
        if not 0 <= self.beta < float("inf"):
            raise ValueError("the weight beta of Q is a number of at least 0")

    def per_topic(self, rankings: Rankings) -> Floats:
        relevant = (rankings.grade >= 1) & (rankings.rank <= self.depth)
        ratio = rankings.where(relevant, blended_ratio(rankings, self.beta, self.gains), 0.0)
        return rankings.ratio(rankings.total(ratio), rankings.minimum(rankings.n_relevant(1), self.depth))


def blended_ratio(rankings: Rankings, beta: float, gains: Gains) -> Floats:
    """(C + β·cg) / (r + β·cg*) of each found row. (n_found,)"""
    n_relevant = rankings.running(rankings.grade >= 1)
    gain = rankings.running_sum(rankings.maximum(found_gain(rankings, gains), 0.0))
    best = at_ideal_rank(rankings, ideal_running_sum(rankings, ideal_gain(rankings, gains)))
    return (n_relevant + beta * gain) / (rankings.rank + beta * best)
