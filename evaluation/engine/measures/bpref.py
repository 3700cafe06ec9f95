"""bpref: binary preference."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class Bpref(BinaryMeasure):
    """How seldom judged non-relevant documents stand above relevant ones; unjudged documents are passed over.

    The mean over all R relevant documents of 1 − min(non-relevant above, R) / min(N, R), where N counts the judged
    non-relevant documents of the qrels; 1 where none stands above, 0 for a relevant document that was not retrieved.
    Negative grades are unjudged. No relevant document: 0.

    Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004, as trec_eval computes it.
    """

    family: ClassVar[str] = "bpref"
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"bpref": ""}

    def per_topic(self, rankings: Rankings) -> Floats:
        n_relevant, n_nonrelevant = rankings.n_relevant(self.rel), rankings.n_nonrelevant(self.rel)
        relevant = rankings.relevant(self.rel)
        above = rankings.running((rankings.grade >= 0) & ~relevant)
        most = rankings.maximum(rankings.minimum(n_nonrelevant, n_relevant), 1.0)  # where that is 0, none stands above
        share = 1.0 - rankings.minimum(above, rankings.of_topic(n_relevant)) / rankings.of_topic(most)
        return rankings.ratio(rankings.total(share * relevant), n_relevant)
