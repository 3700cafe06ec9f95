"""nDCG at each relevant document."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.gains import found_gain, ideal_gain
from evaluation.engine.ideal import at_ideal_rank
from evaluation.engine.measures.base import Cut, GainMeasure
from evaluation.engine.rankings import Rankings
from evaluation.engine.sequential import accumulated, ideal_accumulated


@dataclass(frozen=True, kw_only=True)
class NDCGRel(GainMeasure):
    """The mean, over the documents with a gain, of nDCG at the rank of each.

    One that was not retrieved counts with the DCG of the whole ranking over that of the whole best ranking. The best
    ranking grows with the rank until it has no gain left. `gains` as in nDCG. Unjudged documents gain nothing. No gain
    to be had, or a sum that is not positive: 0.

    As `ndcg_rel` in trec_eval, where Buckley made it an experiment.
    """

    family: ClassVar[str] = "nDCGrel"
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"ndcg_rel": "="}

    def per_topic(self, rankings: Rankings) -> Floats:
        gain, best = found_gain(rankings, self.gains), ideal_gain(rankings, self.gains)
        dcg, ideal = gain / rankings.discount, best / rankings.ideal_discount
        at_rank = rankings.ratio(
            accumulated(rankings, dcg), at_ideal_rank(rankings, ideal_accumulated(rankings, ideal))
        )
        n_gainful, n_found = rankings.ideal_total(best > 0), rankings.total(gain > 0)
        rest = rankings.ratio((n_gainful - n_found) * rankings.total(dcg), rankings.ideal_total(ideal))
        summed = rankings.total(rankings.where(gain > 0, at_rank, 0.0)) + rest
        return rankings.ratio(rankings.maximum(summed, 0.0), n_gainful)
