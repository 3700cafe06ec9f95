"""nDCG at R of each gain."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.gains import found_gain, ideal_gain, levels
from evaluation.engine.measures.base import Cut, GainMeasure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class RNDCG(GainMeasure):
    """The mean of nDCG at the ranks where the best ranking goes on to a lower gain, and at the end.

    With 5 documents of grade 3, 3 of grade 2 and 10 of grade 1 these are the ranks 5, 8 and 18; where the run has
    fewer, its DCG stays what it is. The end of the run is a point of its own if the run is longer than the last rank by
    two or more. `gains` as in nDCG. Unjudged documents gain nothing. No gain to be had: 0.

    As `Rndcg` in trec_eval, where Buckley made it an experiment.
    """

    family: ClassVar[str] = "RnDCG"
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"Rndcg": "="}
    averages_ties: ClassVar[bool] = True

    def per_topic(self, rankings: Rankings) -> Floats:
        dcg = found_gain(rankings, self.gains) / rankings.discount
        ideal = ideal_gain(rankings, self.gains) / rankings.ideal_discount
        summed = n_points = last = rankings.n_retrieved * 0.0
        for _, n_here in levels(rankings, self.gains):
            last = last + n_here
            there = n_here > 0
            best = rankings.ideal_total(rankings.where(rankings.ideal_rank <= last[rankings.ideal_topic], ideal, 0.0))
            met = rankings.total(rankings.where(rankings.rank <= last[rankings.topic], dcg, 0.0))
            summed = summed + rankings.where(there, rankings.ratio(met, best), 0.0)
            n_points = n_points + rankings.where(there, 1.0, 0.0)
        longer = (rankings.n_retrieved > last + 1.0) & (last > 0)
        summed = summed + rankings.where(longer, rankings.ratio(rankings.total(dcg), rankings.ideal_total(ideal)), 0.0)
        return summed / rankings.maximum(n_points + rankings.where(longer, 1.0, 0.0), 1.0)
