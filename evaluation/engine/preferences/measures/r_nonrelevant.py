"""The part of each group's preferences that a ranking fulfils, with as many non-relevant documents as relevant ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints, ratio, starts
from evaluation.engine.preferences.counting import Among
from evaluation.engine.preferences.measures.base import PreferenceMeasure
from evaluation.engine.preferences.view import Preferred


@dataclass(frozen=True, kw_only=True)
class PreferencesAverageRNonrelevant(PreferenceMeasure):
    """prefs_avgjg with R non-relevant documents (level 0) in every group, R being the relevant ones (level > 0).

    So the number of documents that happened to be judged non-relevant does not decide. Of N non-relevant ones, where
    N ≤ R, each retrieved relevant document fulfils R − N more preferences, and each relevant one adds R − N. Where
    N > R, only the R uppermost count; in a group of one subgroup trec_eval then also counts a preference of each of the
    N over each of these R, fulfilled if it is retrieved and stands above, and so does this. A group with nothing to
    count gives 0 (in trec_eval its 0/0 turns the whole topic to 0). trec_eval's `prefs_avgjg_Rnonrel`; akin to bpref.
    """

    family: ClassVar[str] = "prefs_avgjg_Rnonrel"
    trec_eval: ClassVar[Mapping[str, str]] = {"prefs_avgjg_Rnonrel": ""}

    def over_preferences(self, preferred: Preferred) -> Floats:
        relevant = preferred.preferences.level > 0
        there = preferred.member_retrieved if self.among == "ret" else np.ones(relevant.size, bool)
        n_relevant, n_nonrelevant = preferred.by_group(relevant & there), preferred.by_group(~relevant & there)
        kept = self._kept(preferred, relevant, n_relevant)
        counts = preferred.counts_of(kept)
        fulfilled, possible = counts.fulfilled(self.among), counts.possible(self.among)
        lacking = np.maximum(n_relevant - n_nonrelevant, 0.0)
        fulfilled = fulfilled + preferred.by_group(relevant & preferred.member_retrieved) * lacking
        possible = possible + preferred.by_group(relevant) * lacking
        crowded = (n_nonrelevant > n_relevant) & ~preferred.preferences.partial
        n_retrieved = preferred.by_group(~relevant & preferred.member_retrieved)
        fulfilled = fulfilled + np.where(crowded, _above(n_relevant, n_retrieved), 0.0)
        possible = possible + np.where(crowded, n_relevant * n_nonrelevant, 0.0)
        return preferred.total(ratio(fulfilled, possible)) / preferred.n_groups

    def _kept(self, preferred: Preferred, relevant: Bools, n_relevant: Floats) -> Bools:
        """The relevant members, and of each group the first non-relevant ones: R; of a partial group as many as are
        relevant, retrieved or not."""
        of = preferred.preferences
        most = np.where(of.partial, preferred.by_group(relevant), n_relevant)
        enough = (
            preferred.by_group(~relevant)
            if self.among == "all"
            else preferred.by_group(~relevant & preferred.member_retrieved)
        )
        most = np.where(enough > n_relevant, most, np.inf)
        return relevant | (_ordinal(of.group, preferred.member_position, ~relevant, of.n_groups) < most[of.group])


@dataclass(frozen=True, kw_only=True)
class PreferencesAverageRNonrelevantRetrieved(PreferencesAverageRNonrelevant):
    """Among the preferences of which both documents are retrieved, R and N being retrieved ones; but what each relevant
    one adds where N ≤ R, it adds retrieved or not. trec_eval's `prefs_avgjg_Rnonrel_ret`."""

    family: ClassVar[str] = "prefs_avgjg_Rnonrel_ret"
    trec_eval: ClassVar[Mapping[str, str]] = {"prefs_avgjg_Rnonrel_ret": ""}
    among: ClassVar[Among] = "ret"


def _above(n_kept: Floats, n_seen: Floats) -> Floats:
    """Σ over the kept ones, at 0 … n_kept − 1 from the top, of how many of the seen ones stand above."""
    below = np.minimum(n_kept, n_seen)
    return below * (below - 1.0) / 2.0 + (n_kept - below) * n_seen


def _ordinal(group: Ints, position: Ints, flag: Bools, n_groups: int) -> Ints:
    """For members with the flag, how many of the group's others with it stand above."""
    rows = np.flatnonzero(flag)
    rows = rows[np.lexsort((position[rows], group[rows]))]
    ordinal = np.zeros(group.size, np.int64)
    ordinal[rows] = np.arange(rows.size) - starts(group[rows], n_groups)[group[rows]]
    return ordinal
