"""How many preferences there are, and how many a ranking fulfils."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Summary
from evaluation.engine.preferences.counting import Among
from evaluation.engine.preferences.measures.base import PreferenceMeasure
from evaluation.engine.preferences.view import Preferred


@dataclass(frozen=True, kw_only=True)
class PreferencesPossible(PreferenceMeasure):
    """The preferences of all groups, each group's own; summed over topics. trec_eval's `prefs_num_prefs_poss`.

    A topic that the run lacks: 0.
    """

    family: ClassVar[str] = "prefs_num_prefs_poss"
    trec_eval: ClassVar[Mapping[str, str]] = {"prefs_num_prefs_poss": ""}
    limits: ClassVar[tuple[float, float]] = (0.0, math.inf)
    summary: ClassVar[Summary] = "sum"

    def over_preferences(self, preferred: Preferred) -> Floats:
        return np.where(preferred.in_run, preferred.total(preferred.counts.possible("all")), 0.0)


@dataclass(frozen=True, kw_only=True)
class PreferencesFulfilled(PreferenceMeasure):
    """The preferences of all groups whose better document stands above the worse, or is alone retrieved; summed over
    topics. trec_eval's `prefs_num_prefs_ful`."""

    family: ClassVar[str] = "prefs_num_prefs_ful"
    trec_eval: ClassVar[Mapping[str, str]] = {"prefs_num_prefs_ful": ""}
    limits: ClassVar[tuple[float, float]] = (0.0, math.inf)
    summary: ClassVar[Summary] = "sum"

    def over_preferences(self, preferred: Preferred) -> Floats:
        return preferred.total(preferred.counts.fulfilled(self.among))


@dataclass(frozen=True, kw_only=True)
class PreferencesFulfilledRetrieved(PreferencesFulfilled):
    """The same, of two retrieved documents only. trec_eval's `prefs_num_prefs_ful_ret`."""

    family: ClassVar[str] = "prefs_num_prefs_ful_ret"
    trec_eval: ClassVar[Mapping[str, str]] = {"prefs_num_prefs_ful_ret": ""}
    among: ClassVar[Among] = "ret"
