"""The part of the preferences that a ranking fulfils."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats, ratio
from evaluation.engine.preferences.counting import Among
from evaluation.engine.preferences.measures.base import PreferenceMeasure
from evaluation.engine.preferences.view import Preferred


@dataclass(frozen=True, kw_only=True)
class PreferencesSimple(PreferenceMeasure):
    """Preferences fulfilled over preferences, both summed over the groups of the topic; none: 0.

    Every preference counts alike, so a group with many outweighs one with few. Where groups contradict each other, 1 is
    out of reach. Carterette, Bennett, Chickering and Dumais, Here or there: preference judgments for relevance, ECIR
    2008, who call it ppref; as trec_eval's `prefs_simp`.
    """

    family: ClassVar[str] = "prefs_simp"
    trec_eval: ClassVar[Mapping[str, str]] = {"prefs_simp": ""}

    def over_preferences(self, preferred: Preferred) -> Floats:
        counts = preferred.counts
        return ratio(preferred.total(counts.fulfilled(self.among)), preferred.total(counts.possible(self.among)))


@dataclass(frozen=True, kw_only=True)
class PreferencesSimpleRetrieved(PreferencesSimple):
    """Among the preferences of which both documents are retrieved: trec_eval's `prefs_simp_ret`."""

    family: ClassVar[str] = "prefs_simp_ret"
    trec_eval: ClassVar[Mapping[str, str]] = {"prefs_simp_ret": ""}
    among: ClassVar[Among] = "ret"


@dataclass(frozen=True, kw_only=True)
class PreferencesSimpleImplied(PreferencesSimple):
    """Among the preferences of which a document is retrieved: trec_eval's `prefs_simp_imp`."""

    family: ClassVar[str] = "prefs_simp_imp"
    trec_eval: ClassVar[Mapping[str, str]] = {"prefs_simp_imp": ""}
    among: ClassVar[Among] = "imp"
