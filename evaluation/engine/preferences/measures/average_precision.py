"""AP, averaged over judgment groups."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.average_precision import AveragePrecision
from evaluation.engine.measures.base import Cut
from evaluation.engine.preferences.measures.base import GroupMeasure
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class GroupAveragePrecision(GroupMeasure):
    """The mean over judgment groups of AP by the judgments of the group alone. trec_eval's `map_avgjg`.

    A group without relevant documents counts, with 0.
    """

    family: ClassVar[str] = "map_avgjg"
    cut: ClassVar[Cut] = "no"
    trec_eval: ClassVar[Mapping[str, str]] = {"map_avgjg": ""}

    def by_group(self, rankings: Rankings) -> Floats:
        return AveragePrecision(rel=self.rel).per_topic(rankings)
