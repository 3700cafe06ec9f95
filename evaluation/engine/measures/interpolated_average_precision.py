"""Interpolated precision, averaged over recall levels."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut, Measure
from evaluation.engine.measures.interpolated_precision import interpolated
from evaluation.engine.measures.parameters import Numbers, numbers_of_trec_eval
from evaluation.engine.rankings import Rankings
from evaluation.engine.trec_eval_names import RECALL_LEVELS


@dataclass(frozen=True, kw_only=True)
class InterpolatedAveragePrecision(BinaryMeasure):
    """The mean of the interpolated precision at the recall levels `at`: by default the eleven from 0 to 1 in tenths.

    See iprec, also for topics without relevant documents and for `trec_eval` 9. The measure of the first TRECs, known
    as 11-point average precision; `at=[0.2,0.5,0.8]` is the 3-point one.

    Salton and McGill, Introduction to modern information retrieval, 1983; as `11pt_avg` in trec_eval.
    """

    at: Numbers = RECALL_LEVELS

    family: ClassVar[str] = "iAP"
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"11pt_avg": "="}

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.at or len(set(self.at)) < len(self.at) or not all(0 <= level <= 1 for level in self.at):
            raise ValueError("iAP is averaged at recall levels from 0 to 1, each once: iAP(at=[0.2,0.5,0.8])")

    @classmethod
    def of_trec_eval(cls, name: str, text: str | None) -> dict[str, Measure]:
        if text is None:
            return {name: cls()}
        return {f"{name}_{text}": cls(at=tuple(sorted(numbers_of_trec_eval(text, name))))}

    def per_topic(self, rankings: Rankings) -> Floats:
        total = interpolated(rankings, self.rel, max(self.at))
        for level in sorted(self.at, reverse=True)[1:]:  # from the highest level down, as trec_eval adds them
            total = total + interpolated(rankings, self.rel, level)
        return total / float(len(self.at))
