"""The residual of rank-biased precision."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.measures.parameters import check_persistence, persistence_of_trec_eval
from evaluation.engine.rankings import Rankings
from evaluation.engine.sequential import powers


@dataclass(frozen=True, kw_only=True)
class RankBiasedResidual(Measure):
    """How much RBP could rise if every unjudged document, and every rank below the run, were of the top grade.

    (1 − p) Σ p^(rank − 1) over the unjudged documents, of negative grade or not in the qrels, and p^n for the ranks
    below the n retrieved. So a run that has nothing for a topic has 1. `tail`: `'always'`, as the paper; `'unjudged'`,
    as trec_eval: the residual is 0 where no unjudged document was retrieved.

    Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008. trec_eval's
    `rbp_resid` has p = 0.9.
    """

    p: float = 0.8
    tail: str = "always"

    family: ClassVar[str] = "RBPresid"
    is_quality: ClassVar[bool] = False
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"rbp_resid": "="}
    averages_ties: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_persistence(self.p, "RBPresid")
        if self.tail not in ("always", "unjudged"):
            raise ValueError(f"the tail of RBPresid counts 'always' or beside 'unjudged' documents, not {self.tail!r}")

    @classmethod
    def of_trec_eval(cls, name: str, text: str | None) -> dict[str, Measure]:
        p = 0.9 if text is None else persistence_of_trec_eval(text, name)
        return {name if text is None else f"{name}_{text}": cls(p=p, tail="unjudged")}

    def per_topic(self, rankings: Rankings) -> Floats:
        is_judged = rankings.grade >= 0
        decided = (1.0 - self.p) * rankings.total(rankings.where(is_judged, powers(rankings, self.p), 0.0))
        residual = rankings.maximum(1.0 - decided, 0.0)
        if self.tail == "always":
            return residual
        return rankings.where(rankings.n_retrieved - rankings.total(is_judged) > 0.5, residual, 0.0)
