"""F of all that was retrieved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut, Measure
from evaluation.engine.measures.parameters import numbers_of_trec_eval
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class SetF(BinaryMeasure):
    """The weighted harmonic mean (x + 1) P R / (R + x P) of precision and recall of the set that was retrieved.

    x = β², and recall matters `beta` times as much as precision. Or `x` itself is given, as trec_eval's `set_F` has it:
    `set_F.0.5` is SetF(x=0.5) (ir_measures hands its beta on as that x). No relevant document retrieved: 0. Unjudged
    documents count as not relevant.

    van Rijsbergen, Information retrieval, second edition, 1979, chapter 7.
    """

    beta: float = 1.0
    x: float | None = None

    family: ClassVar[str] = "SetF"
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"set_F": "="}
    averages_ties: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beta < 0 or (self.x is not None and self.x < 0):
            raise ValueError("the weight of recall in SetF is at least 0")
        if self.x is not None and self.beta != 1:
            raise ValueError("SetF has its weight as beta or as x = beta², not both")

    @classmethod
    def of_trec_eval(cls, name: str, text: str | None) -> dict[str, Measure]:
        if text is None:
            return {name: cls()}
        numbers = numbers_of_trec_eval(text, name)
        if len(numbers) != 1:
            raise ValueError(f"the parameter of {name} is one number, {name}.0.5, not {text}")
        return {f"{name}_{text}": cls(x=None if numbers == (1.0,) else numbers[0])}

    def per_topic(self, rankings: Rankings) -> Floats:
        x = self.beta**2 if self.x is None else self.x
        hits = rankings.n_relevant_found(self.rel)
        precision = rankings.ratio(hits, rankings.n_retrieved)
        recall = rankings.ratio(hits, rankings.n_relevant(self.rel))
        return rankings.ratio((x + 1.0) * precision * recall, x * precision + recall)
