"""What measures of preferences and of judgment groups share."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.diversity.view import Intents
from evaluation.engine.measures.base import BinaryMeasure, Cut, Measure
from evaluation.engine.preferences.counting import Among
from evaluation.engine.preferences.view import Preferred
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class PreferenceMeasure(Measure):
    """A measure of how many preferences between documents a ranking fulfils.

    `among`: which preferences may be fulfilled. "all": every one; one of which no document is retrieved is not
    fulfilled. "imp": those of which a document is retrieved. "ret": those of which both are.
    """

    cut: ClassVar[Cut] = "no"
    among: ClassVar[Among] = "all"

    @abstractmethod
    def over_preferences(self, preferred: Preferred) -> Floats:
        """The value for each topic, (n_topics,); 0 for a topic that is missing from the run."""

    def per_topic(self, rankings: Rankings) -> Floats:
        raise TypeError(f"{self} needs preferences: evaluate it with evaluate_preferences")


@dataclass(frozen=True, kw_only=True)
class GroupMeasure(BinaryMeasure):
    """An ordinary measure of each judgment group of a topic by itself; all groups of the topic count alike."""

    @abstractmethod
    def by_group(self, rankings: Rankings) -> Floats:
        """The value for each group, (n_groups,), each seen as if it were a topic."""

    def over_groups(self, groups: Intents) -> Floats:
        """The mean over the groups of each topic. (n_topics,)"""
        return groups.each.ratio(groups.total(self.by_group(groups.each)), groups.total(groups.each.n_retrieved >= 0))

    def per_topic(self, rankings: Rankings) -> Floats:
        raise TypeError(f"{self} needs judgment groups: evaluate it with evaluate_groups")
