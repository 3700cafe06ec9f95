"""INST: adaptive inverse squares."""

from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Bools, Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.rankings import Rankings
from evaluation.engine.user_models import scaled_gain, squares_from


@dataclass(frozen=True, kw_only=True)
class INST(Measure):
    """The gain a user meets who wants T documents of the top grade, and goes on the less the more are found.

    From rank i the user goes on with the chance ((i + T + W − 1) / (i + T + W))², where W is T less the gain of the
    first i documents; the value is the gain, each weighted by the chance to reach it, over the ranks a user looks at.
    The gain is the grade over the top grade (of the scale, else of the qrels). All ranks there can be count, or the
    first k; cwl_eval, and so ir_measures, has k = 1000. Unjudged documents gain nothing.

    Moffat, Bailey, Scholer and Thomas, INST: an adaptive metric for information retrieval evaluation, ADCS 2015.
    """

    T: float = 1.0

    family: ClassVar[str] = "INST"
    cut: ClassVar[Cut] = "may"
    uses_top_grade: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.T < float("inf"):
            raise ValueError("T of INST is a number of at least 1")

    def per_topic(self, rankings: Rankings) -> Floats:
        """Between two judged documents W stays, and the chances multiply to (start / end)²: see `_ranks`."""
        gain = scaled_gain(rankings, self.depth)
        so_far = rankings.running_sum(gain)
        wait = 2 * self.T - 1 - rankings.previous(so_far, 0.0)  # T + W − 1 before this row
        rank = rankings.minimum(rankings.rank, self.depth + 1)
        start = rankings.previous(rank, 1.0) + wait  # (n_found,) the row above, or rank 1
        end = rank + wait
        reached = rankings.running_product((start / end) * (start / end))
        looked_at = rankings.previous(reached, 1.0) * _ranks(start, end)
        begin, past = rank + 2 * self.T - 1 - so_far, self.depth + 2 * self.T - so_far
        after = rankings.where(_last(rankings), reached * _ranks(begin, past), 0.0)
        return rankings.ratio(rankings.total(reached * gain), rankings.total(looked_at + after))


def _ranks(start: Floats, end: Floats) -> Floats:
    """How many of the ranks from start to before end are looked at, by who looks at the first: Σ (start / i)²."""
    return start * start * (squares_from(start) - squares_from(end))


def _last(rankings: Rankings) -> Bools:
    """Whether each found row is the last of its topic. (n_found,)"""
    every = rankings.rank > 0
    last: Bools = rankings.running(every) == rankings.total(every)[rankings.topic]
    return last
