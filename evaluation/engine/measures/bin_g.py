"""Binary G."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.rankings import Rankings
from evaluation.engine.sequential import each


@dataclass(frozen=True, kw_only=True)
class BinaryG(BinaryMeasure):
    """The mean over all R relevant documents of 1 / log2(2 + n), where n documents that are not relevant stand above.

    Unlike with nDCG, a relevant document loses nothing by relevant ones above it. One that was not retrieved
    contributes 0; unjudged documents count as not relevant. No relevant document: 0.

    As `binG` in trec_eval, where Buckley made it an experiment in 2008.
    """

    family: ClassVar[str] = "binG"
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"binG": ""}

    def per_topic(self, rankings: Rankings) -> Floats:
        relevant = rankings.grade >= self.rel
        others_above = rankings.where(relevant, rankings.rank - rankings.running(relevant), 0.0)
        worth = 1.0 / each(rankings, math.log2, 2.0 + others_above)
        return rankings.ratio(rankings.total(rankings.where(relevant, worth, 0.0)), rankings.n_relevant(self.rel))
