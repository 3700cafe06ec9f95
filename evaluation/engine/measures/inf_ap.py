"""Inferred average precision."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.rankings import Rankings

EPSILON = 1e-5


@dataclass(frozen=True, kw_only=True)
class InferredAP(BinaryMeasure):
    """AP estimated where only a sample of the pool was judged: a negative grade is a pooled document nobody judged.

    At a relevant document of rank k the expected precision is 1/k + (k − 1)/k · d/(k − 1) · (r + ε)/(r + n + 2ε). Above
    it stand r relevant and n judged non-relevant documents, and d that were pooled: these, and those of negative grade;
    ε = 1e-5. The sum is over R, the judged relevant documents of the qrels. Without negative grades it differs from AP
    only by ε. No relevant document: 0.

    Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006, as trec_eval
    computes it.
    """

    family: ClassVar[str] = "infAP"
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"infAP": ""}

    def per_topic(self, rankings: Rankings) -> Floats:
        relevant = rankings.grade >= self.rel
        r = rankings.running(relevant) - 1.0
        n = rankings.running((rankings.grade >= 0) & ~relevant)
        pooled = r + n + rankings.running(rankings.grade < 0)
        above = rankings.rank - 1.0
        share = pooled / rankings.maximum(above, 1.0)
        expected = 1.0 / rankings.rank + above / rankings.rank * share * ((r + EPSILON) / (r + n + 2.0 * EPSILON))
        at = rankings.where(relevant, rankings.where(above > 0, expected, 1.0), 0.0)
        return rankings.ratio(rankings.total(at), rankings.n_relevant(self.rel))
