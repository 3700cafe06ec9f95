"""Utility: a weighted count of right and wrong."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut, Measure
from evaluation.engine.measures.parameters import numbers_of_trec_eval
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class Utility(BinaryMeasure):
    """a · (relevant retrieved) + b · (others retrieved) + c · (relevant missed) + d · (others left out).

    The measure of filtering: what was retrieved is a set, unjudged documents are others. `d` needs the size of the
    collection, `documents` (trec_eval -N). A topic without relevant documents has the value of what was retrieved; a
    missing topic that of having retrieved nothing.

    Lewis, The TREC-4 filtering track, TREC-4, 1995; as `utility` in trec_eval, which gives a missing topic 0.
    """

    a: float = 1.0
    b: float = -1.0
    c: float = 0.0
    d: float = 0.0
    documents: int = 0

    family: ClassVar[str] = "utility"
    limits: ClassVar[tuple[float, float]] = (-math.inf, math.inf)
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"utility": "="}
    averages_ties: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.documents < 0:
            raise ValueError("the documents of a collection are at least 0")

    @classmethod
    def of_trec_eval(cls, name: str, text: str | None) -> dict[str, Measure]:
        if text is None:
            return {name: cls()}
        numbers = numbers_of_trec_eval(text, name)
        if len(numbers) != 4:
            raise ValueError(f"the parameters of {name} are four numbers, {name}.1,-1,0,0, not {text}")
        a, b, c, d = numbers
        return {f"{name}_{text}": cls(a=a, b=b, c=c, d=d)}

    def per_topic(self, rankings: Rankings) -> Floats:
        hits = rankings.n_relevant_found(self.rel)
        n_relevant, n_retrieved = rankings.n_relevant(self.rel), rankings.n_retrieved
        left_out = float(self.documents) + hits - n_retrieved - n_relevant
        return self.a * hits + self.b * (n_retrieved - hits) + self.c * (n_relevant - hits) + self.d * left_out
