"""The preferences that a ranking fulfils, pair of documents by pair."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats, ratio
from evaluation.engine.preferences.counting import Among
from evaluation.engine.preferences.measures.base import PreferenceMeasure
from evaluation.engine.preferences.view import Preferred


@dataclass(frozen=True, kw_only=True)
class PreferencesPair(PreferenceMeasure):
    """The mean, over pairs of documents that a group prefers either way, of the part of those groups that the ranking
    agrees with: 3/5 where three groups prefer the upper document and two the lower. No pair: 0.

    Every pair counts alike, however many groups speak of it. The same as `prefs_simp` where none is in two groups.
    trec_eval's `prefs_pair`.
    """

    family: ClassVar[str] = "prefs_pair"
    trec_eval: ClassVar[Mapping[str, str]] = {"prefs_pair": ""}

    def over_preferences(self, preferred: Preferred) -> Floats:
        return ratio(*preferred.pair_shares(self.among))


@dataclass(frozen=True, kw_only=True)
class PreferencesPairRetrieved(PreferencesPair):
    """Among pairs of retrieved documents: trec_eval's `prefs_pair_ret`."""

    family: ClassVar[str] = "prefs_pair_ret"
    trec_eval: ClassVar[Mapping[str, str]] = {"prefs_pair_ret": ""}
    among: ClassVar[Among] = "ret"


@dataclass(frozen=True, kw_only=True)
class PreferencesPairImplied(PreferencesPair):
    """Among pairs of which a document is retrieved: trec_eval's `prefs_pair_imp`."""

    family: ClassVar[str] = "prefs_pair_imp"
    trec_eval: ClassVar[Mapping[str, str]] = {"prefs_pair_imp": ""}
    among: ClassVar[Among] = "imp"
