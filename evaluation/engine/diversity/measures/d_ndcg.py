"""D-nDCG: nDCG with gains summed over intents."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evaluation.engine.arrays import Floats, segment_sums, starts
from evaluation.engine.diversity.measures.base import DiversityMeasure
from evaluation.engine.diversity.qrels import DiversityQrels
from evaluation.engine.diversity.view import Intents
from evaluation.engine.gains import Gains, gain_of
from evaluation.engine.measures.base import Cut, GainMeasure


@dataclass(frozen=True, kw_only=True)
class DNDCG(GainMeasure, DiversityMeasure):
    """nDCG where the gain of a document is Σ over intents of P(intent) · gain(grade for the intent).

    The ideal ranking orders all judged documents by that global gain, and is cut at k too. `gains` as for
    nDCG, whatever `rel` is, which says only what is relevant to an intent (StRecall). Nothing relevant: 0.

    Sakai and Song, Evaluating diversified search results using per-intent graded relevance, SIGIR 2011.
    """

    family: ClassVar[str] = "D_nDCG"
    cut: ClassVar[Cut] = "may"

    def over_intents(self, intents: Intents) -> Floats:
        gain = _global_gain(intents.qrels, self.gains)
        ideal = intents.backend.put(_ideal_dcg(intents.qrels, gain, self.depth))
        discounted = intents.backend.put(gain)[intents.document] / intents.document_discount
        dcg = intents.document_total(intents.each.where(intents.document_rank <= self.depth, discounted, 0.0))
        return intents.each.ratio(dcg, ideal)


def _global_gain(qrels: DiversityQrels, gains: Gains) -> Floats:
    """Of every document. (n_documents,)"""
    return qrels.gain(qrels.by_grade(lambda grade: gain_of(gains, grade)))


def _ideal_dcg(qrels: DiversityQrels, gain: Floats, depth: float) -> Floats:
    """Of the documents by descending gain. (n_topics,)"""
    topic, n_topics = qrels.documents.topic, qrels.documents.n_topics
    ordered = np.maximum(gain[np.lexsort((-gain, topic))], 0.0)
    rank = np.arange(topic.size) - starts(topic, n_topics)[topic] + 1
    value = np.where(rank <= depth, ordered / np.log2(rank + 1.0), 0.0)
    return segment_sums(value, topic, n_topics)
