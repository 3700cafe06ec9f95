"""Normalised gain, G."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.gains import found_gain, ideal_gain, levels
from evaluation.engine.measures.base import Cut, GainMeasure
from evaluation.engine.rankings import Rankings
from evaluation.engine.sequential import accumulated, each


@dataclass(frozen=True, kw_only=True)
class NormalizedGain(GainMeasure):
    """Gains discounted by how far the ranking is behind the best one where they come, over all gains there are.

    A document of gain g adds g / log2(2 + cost − met): met is the gain met so far, this document's own with it, and
    cost the gain that the best ranking has met down to the same rank, but at least 1 for each rank. So a document is
    not discounted for good ones above it. `gains` as in nDCG. Unjudged documents gain nothing. No gain to be had: 0.

    As `G` in trec_eval, where Buckley made it an experiment in 2008.
    """

    family: ClassVar[str] = "G"
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"G": "="}

    def per_topic(self, rankings: Rankings) -> Floats:
        gain = found_gain(rankings, self.gains)
        behind = self._cost(rankings) - accumulated(rankings, gain)
        discount = each(rankings, math.log2, rankings.where(gain != 0, 2.0 + behind, 2.0))
        return rankings.ratio(rankings.total(gain / discount), rankings.ideal_total(ideal_gain(rankings, self.gains)))

    def _cost(self, rankings: Rankings) -> Floats:
        """The gain of the best ranking down to the rank of each found row, at least 1 a rank. (n_found,)"""
        cost, rest = rankings.rank * 0.0, rankings.rank
        for gain, n_here in levels(rankings, self.gains):
            here = rankings.minimum(rest, n_here[rankings.topic])
            cost, rest = cost + max(gain, 1.0) * here, rest - here
        return cost + rest
