"""Precision of all that was retrieved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut, Measure
from evaluation.engine.measures.parameters import Parameter
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class SetPrecision(BinaryMeasure):
    """The relevant documents retrieved, over all documents retrieved: what was retrieved is a set.

    `relative`: over the most that could be relevant of so many, min(retrieved, R). Unjudged documents count as not
    relevant. Nothing retrieved or, if relative, no relevant document: 0.

    van Rijsbergen, Information retrieval, second edition, 1979, chapter 7; as `set_P` and `set_relative_P` in
    trec_eval.
    """

    relative: bool = False

    family: ClassVar[str] = "SetP"
    also: ClassVar[Mapping[str, Mapping[str, Parameter]]] = {"SetRelP": {"relative": True}}
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"set_P": "", "set_relative_P": ""}
    averages_ties: ClassVar[bool] = True

    @classmethod
    def of_trec_eval(cls, name: str, text: str | None) -> dict[str, Measure]:
        super().of_trec_eval(name, text)  # takes no parameters
        return {name: cls(relative=name == "set_relative_P")}

    def per_topic(self, rankings: Rankings) -> Floats:
        n_retrieved = rankings.n_retrieved
        among = rankings.minimum(n_retrieved, rankings.n_relevant(self.rel)) if self.relative else n_retrieved
        return rankings.ratio(rankings.n_relevant_found(self.rel), among)
