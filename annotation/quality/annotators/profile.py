"""All statistics of all annotators, each computed on first use, and once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from annotation.quality.annotators.above_bottom import AboveBottom, above_bottom
from annotation.quality.annotators.agreement_with_others import WithOthers, with_others
from annotation.quality.annotators.answers import BesideOthers, OnGold, beside_others, in_order, on_gold
from annotation.quality.annotators.copies import Copies, near_copies
from annotation.quality.annotators.drift import Drift, drift_of
from annotation.quality.annotators.falling_accuracy import Falling, falling_of
from annotation.quality.annotators.fatigue import Fatigue, fatigue_of
from annotation.quality.annotators.gold_accuracy import Right, right_on_gold
from annotation.quality.annotators.gold_errors import Severity, confusion_matrices, severity_of
from annotation.quality.annotators.leniency import Leniency, leniency_of
from annotation.quality.annotators.pace import Pace, pace_of
from annotation.quality.annotators.repeats import Consistency, consistency_of
from annotation.quality.annotators.sessions import places_in_session
from annotation.quality.annotators.straight_lining import StraightLining, straight_lining
from annotation.quality.annotators.variety import Variety, grades_given, variety_of
from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.inputs import Inputs


@dataclass(frozen=True, eq=False)
class Profiles:
    """`saved_at`: (n,), seconds, a row of the judgment table each; NaN where it is not known, None: of none."""

    inputs: Inputs
    saved_at: Floats | None = None

    @property
    def n_annotators(self) -> int:
        return len(self.inputs.table.annotators)

    @property
    def n_grades(self) -> int:
        return len(self.inputs.scale.grades)

    @cached_property
    def gold(self) -> OnGold:
        return on_gold(self.inputs)

    @cached_property
    def beside(self) -> BesideOthers:
        return beside_others(self.inputs)

    @cached_property
    def grade_counts(self) -> Ints:
        """(n_annotators, n_grades)"""
        return grades_given(self.inputs.table, self.inputs.scale)

    @cached_property
    def right(self) -> Right:
        return right_on_gold(self.gold, self.inputs.gold.accepted, self.n_annotators)

    @cached_property
    def confusion(self) -> Ints:
        """(n_annotators, n_grades, n_grades): gold grade by grade given."""
        return confusion_matrices(self.gold, self.n_annotators, self.n_grades)

    @cached_property
    def leniency(self) -> Leniency:
        return leniency_of(self.gold, self.beside, self.n_annotators)

    @cached_property
    def above_bottom(self) -> AboveBottom:
        return above_bottom(self.beside, self.n_annotators)

    @cached_property
    def severity(self) -> Severity:
        return severity_of(self.gold, self.n_annotators, self.n_grades)

    @cached_property
    def consistency(self) -> Consistency:
        return consistency_of(self.inputs)

    @cached_property
    def others(self) -> WithOthers:
        return with_others(self.beside, self.n_annotators)

    @cached_property
    def variety(self) -> Variety:
        return variety_of(self.grade_counts)

    @cached_property
    def straight(self) -> StraightLining:
        return straight_lining(*in_order(self.inputs), self.grade_counts)

    @cached_property
    def pace(self) -> Pace:
        return self.inputs.once(pace_of)

    @cached_property
    def fatigue(self) -> Fatigue:
        return fatigue_of(self.inputs, self.gold, self.places_in_session)

    @cached_property
    def places_in_session(self) -> Ints:
        """(n,), as `places_in_session` has it."""
        table = self.inputs.table
        return places_in_session(table, np.full(len(table), np.nan) if self.saved_at is None else self.saved_at)

    def falling(self, i: int) -> Falling | None:
        """Of annotator i, over all work."""
        return self._falling(self.gold.who == i, self.gold_order)

    def falling_in_session(self, i: int) -> Falling | None:
        """Of annotator i, by the place in the session; gold at times that are not known is left out."""
        return self._falling((self.gold.who == i) & (self.gold_places > 0), self.gold_places)

    def _falling(self, own: Bools, ordinal: Ints) -> Falling | None:
        gold = self.gold
        return falling_of(ordinal[own], gold.off[own] == 0, gold.known[own])

    @cached_property
    def gold_order(self) -> Ints:
        """(n_on_gold,): in which order the judgments on gold were saved."""
        return self.inputs.table.sequence[self.gold.row]

    @cached_property
    def gold_places(self) -> Ints:
        """(n_on_gold,): `places_in_session` of the judgments on gold."""
        return self.places_in_session[self.gold.row]

    @cached_property
    def drift(self) -> Drift:
        return drift_of(self.inputs, self.gold)

    @cached_property
    def copies(self) -> Copies:
        return self.inputs.once(near_copies)
