"""Precision after a multiple of R documents, averaged over judgment groups."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut
from evaluation.engine.measures.r_precision_mult import MULTIPLES, RPrecisionMult
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
    trec_eval_cutoffs: ClassVar[tuple[float, ...]] = MULTIPLES

    def by_group(self, rankings: Rankings) -> Floats:
        return RPrecisionMult(cutoff=self.cutoff, rel=self.rel).per_topic(rankings)
