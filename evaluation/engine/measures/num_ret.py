"""How many documents were retrieved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import CountMeasure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class NumRet(CountMeasure):
    """The documents that the run has for the topic, judged or not; the summary is their sum over topics.

    `rel`: only those of at least that grade, as in ir_measures. A depth counts only the documents above it, and without
    unjudged documents (judged_only) only judged ones count.

    As `num_ret` in trec_eval.
    """

    rel: int | None = None

    family: ClassVar[str] = "NumRet"
    trec_eval: ClassVar[Mapping[str, str]] = {"num_ret": ""}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rel is not None and self.rel < 1:
            raise ValueError("the level rel of NumRet is a whole number of at least 1")

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.n_retrieved if self.rel is None else rankings.n_relevant_found(self.rel)
