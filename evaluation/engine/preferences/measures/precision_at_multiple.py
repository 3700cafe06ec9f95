"""Precision after a multiple of R documents, averaged over judgment groups."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut
from evaluation.engine.preferences.measures.base import GroupMeasure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class GroupPrecisionAtMultiple(GroupMeasure):
    """The mean over judgment groups of precision after x · R documents, R being the relevant ones of the group.

    The cutoff is the whole part of x · R + 0.9, as in trec_eval; 0 for a group without relevant documents. trec_eval's
    `Rprec_mult_avgjg`.
    """

    family: ClassVar[str] = "Rprec_mult_avgjg"
    cut: ClassVar[Cut] = "must"
    cut_is: ClassVar[Literal["rank", "share"]] = "share"
    trec_eval: ClassVar[Mapping[str, str]] = {"Rprec_mult_avgjg": "@"}
    trec_eval_cutoffs: ClassVar[tuple[float, ...]] = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)

    def by_group(self, rankings: Rankings) -> Floats:
        n_relevant = rankings.backend.get(rankings.n_relevant(self.rel))
        cutoff = rankings.backend.put(np.floor(self.depth * n_relevant + 0.9))
        hits = rankings.total((rankings.grade >= self.rel) & (rankings.rank <= cutoff[rankings.topic]))
        return rankings.ratio(hits, cutoff)
