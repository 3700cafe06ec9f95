"""Hits at k."""

import math
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class Hits(BinaryMeasure):
    """How many relevant documents are among the first k, or among all that were retrieved; a mean over topics.

    Unjudged documents count as not relevant. (The sum over topics, without a cutoff, is trec_eval's `num_rel_ret`;
    whether there is one at all is Success.)

    As `hits` in ranx: Bassani, ranx: a blazing-fast Python library for ranking evaluation and comparison, ECIR 2022.
    """

    family: ClassVar[str] = "Hits"
    limits: ClassVar[tuple[float, float]] = (0.0, math.inf)
    cut: ClassVar[Cut] = "may"
    averages_ties: ClassVar[bool] = True
    has_bounds: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        return rankings.n_relevant_found(self.rel, self.depth)
