"""The part of each group's preferences that a ranking fulfils, averaged over groups."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats, ratio
from evaluation.engine.preferences.counting import Among
from evaluation.engine.preferences.measures.base import PreferenceMeasure
from evaluation.engine.preferences.view import Preferred


@dataclass(frozen=True, kw_only=True)
class PreferencesAverage(PreferenceMeasure):
    """The mean over the groups of the topic of preferences fulfilled over preferences; 0 for a group without any.

    Every group counts alike, however many preferences it has. trec_eval's `prefs_avgjg`.
    """

    family: ClassVar[str] = "prefs_avgjg"
    trec_eval: ClassVar[Mapping[str, str]] = {"prefs_avgjg": ""}

    def over_preferences(self, preferred: Preferred) -> Floats:
        counts = preferred.counts
        share = ratio(counts.fulfilled(self.among), counts.possible(self.among))
        return preferred.total(share) / preferred.n_groups


@dataclass(frozen=True, kw_only=True)
class PreferencesAverageRetrieved(PreferencesAverage):
    """Among the preferences of which both documents are retrieved: trec_eval's `prefs_avgjg_ret`."""

    family: ClassVar[str] = "prefs_avgjg_ret"
    trec_eval: ClassVar[Mapping[str, str]] = {"prefs_avgjg_ret": ""}
    among: ClassVar[Among] = "ret"


@dataclass(frozen=True, kw_only=True)
class PreferencesAverageImplied(PreferencesAverage):
    """Among the preferences of which a document is retrieved: trec_eval's `prefs_avgjg_imp`."""

    family: ClassVar[str] = "prefs_avgjg_imp"
    trec_eval: ClassVar[Mapping[str, str]] = {"prefs_avgjg_imp": ""}
    among: ClassVar[Among] = "imp"
