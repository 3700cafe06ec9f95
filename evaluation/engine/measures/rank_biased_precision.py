"""Rank-biased precision."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.gains import found_gain
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.measures.parameters import check_persistence, persistence_of_trec_eval
from evaluation.engine.rankings import Rankings
from evaluation.engine.sequential import powers


@dataclass(frozen=True, kw_only=True)
class RankBiasedPrecision(Measure):
    """(1 − p) Σ gain · p^(rank − 1): what a user meets who goes on to the next document with probability p.

    The gain is the grade over the top grade. `top` says which: `'scale'`, that of the scale, else the highest of all
    qrels; `'topic'`, the highest of the topic's own qrels, as trec_eval has it. With `rel`, the gain is 1 from that
    grade on, else 0. Unjudged documents gain nothing; RBPresid is what they and the ranks below the run could add. No
    relevant document: 0.

    Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008. trec_eval's
    `rbp` has p = 0.9.
    """

    p: float = 0.8
    rel: int | None = None
    top: str = "scale"

    family: ClassVar[str] = "RBP"
    cut: ClassVar[Cut] = "may"
    trec_eval: ClassVar[Mapping[str, str]] = {"rbp": "="}
    averages_ties: ClassVar[bool] = True
    uses_top_grade: ClassVar[bool] = True
    has_bounds: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_persistence(self.p, "RBP")
        if self.rel is not None and self.rel < 1:
            raise ValueError("the level rel of RBP is a whole number of at least 1")
        if self.top not in ("scale", "topic"):
            raise ValueError(f"the top of RBP is that of the 'scale' or of the 'topic', not {self.top!r}")

    @classmethod
    def of_trec_eval(cls, name: str, text: str | None) -> dict[str, Measure]:
        p = 0.9 if text is None else persistence_of_trec_eval(text, name)
        return {name if text is None else f"{name}_{text}": cls(p=p, top="topic")}

    def is_bounded(self, top_grade: int) -> bool:
        """Not where a document of a higher grade would make those below it count less."""
        return self.rel is not None or self.top == "scale"

    def beyond(self, n_retrieved: Floats) -> Floats:
        """p^n, and with a cutoff p^n − p^k: the whole weight of the ranks below the run."""
        below = self.p**n_retrieved
        return below if self.cutoff is None else np.maximum(below - self.p**self.cutoff, 0.0)

    def per_topic(self, rankings: Rankings) -> Floats:
        met = self._gain(rankings) * powers(rankings, self.p)
        return (1.0 - self.p) * rankings.total(rankings.where(rankings.rank <= self.depth, met, 0.0))

    def _gain(self, rankings: Rankings) -> Floats:
        if self.rel is not None:
            return rankings.where(rankings.grade >= self.rel, 1.0, 0.0)
        gain = found_gain(rankings, "linear")
        if self.top == "scale":
            return gain / rankings.top_grade
        highest = rankings.ideal_total(rankings.where(rankings.ideal_rank == 1, rankings.ideal_grade, 0.0))
        return gain / rankings.maximum(highest, 1.0)[rankings.topic]
