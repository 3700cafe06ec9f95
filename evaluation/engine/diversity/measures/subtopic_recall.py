"""Subtopic recall: how many of the intents the first k documents serve."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.diversity.measures.base import DiversityMeasure
from evaluation.engine.diversity.view import Intents
from evaluation.engine.measures.base import Cut
from evaluation.engine.measures.parameters import Parameter


@dataclass(frozen=True, kw_only=True)
class SubtopicRecall(DiversityMeasure):
    """The intents to which one of the first k documents is relevant, over the intents that have a relevant document.

    Every intent counts alike, whatever its probability. Also known as S-recall, I-rec (Sakai) and strec (ndeval).
    Nothing relevant: 0.

    Zhai, Cohen and Lafferty, Beyond independent relevance: methods and evaluation metrics for subtopic retrieval, SIGIR
    2003.
    """

    family: ClassVar[str] = "StRecall"
    cut: ClassVar[Cut] = "must"
    also: ClassVar[Mapping[str, Mapping[str, Parameter]]] = {"STREC": {}, "S_recall": {}, "I_rec": {}}

    def over_intents(self, intents: Intents) -> Floats:
        return served(intents, self.rel, self.depth)


def served(intents: Intents, rel: int, depth: float) -> Floats:
    """The part of the intents that a document up to the depth is relevant to. (n_topics,)"""
    each = intents.each
    hits = each.n_relevant_found(rel, depth)
    return each.ratio(intents.total(hits > 0), intents.total(intents.has_relevant(rel)))
