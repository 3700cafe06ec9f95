"""P, averaged over judgment groups."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut
from evaluation.engine.measures.precision import Precision
from evaluation.engine.preferences.measures.base import GroupMeasure
from evaluation.engine.rankings import Rankings
from evaluation.engine.trec_eval_names import CUTOFFS


@dataclass(frozen=True, kw_only=True)
class GroupPrecision(GroupMeasure):
    """The mean over judgment groups of P@k by the judgments of the group alone. trec_eval's `P_avgjg`.

    A group without relevant documents counts, with 0.
    """

    family: ClassVar[str] = "P_avgjg"
    cut: ClassVar[Cut] = "must"
    trec_eval: ClassVar[Mapping[str, str]] = {"P_avgjg": "@"}
    trec_eval_cutoffs: ClassVar[tuple[float, ...]] = CUTOFFS

    def by_group(self, rankings: Rankings) -> Floats:
        return Precision(cutoff=self.cutoff, rel=self.rel).per_topic(rankings)
