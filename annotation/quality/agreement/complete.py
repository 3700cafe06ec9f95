"""Grades of people who all judged the same items: what Kendall's W and the two-way correlations ask for."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from annotation.quality.agreement.result import Agreement
from annotation.quality.arrays import Floats
from annotation.quality.votes import Votes


@dataclass(frozen=True, eq=False)
class CompleteGrades:
    """`grade`: (n_items, n_annotators); empty where `reason` says why there is no such table."""

    grade: Floats
    reason: str = ""

    @classmethod
    def of(cls, votes: Votes) -> Self:
        """Items that nobody judged are left out. Takes the room of a table only where every cell of it is there."""
        items, item = np.unique(votes.pair, return_inverse=True)
        people, person = np.unique(votes.annotator, return_inverse=True)
        if len(votes.grade) != len(items) * len(people):
            return cls(np.zeros((0, 0)), _missing(len(items), len(people), len(votes.grade)))
        grade = np.zeros((len(items), len(people)))
        grade[item, person] = votes.grade
        return cls(grade)

    def agreement(self, value: float, why_undefined: str) -> Agreement:
        """The result of a coefficient that is `value`; NaN: undefined, with the reason."""
        n_items, n_annotators = self.grade.shape
        reason = self.reason or self._too_small or (why_undefined if np.isnan(value) else "")
        number = None if reason else float(value)
        return Agreement(number, reason, n_items, self.grade.size, n_annotators)

    @property
    def usable(self) -> bool:
        return not (self.reason or self._too_small)

    @property
    def _too_small(self) -> str:
        n_items, n_annotators = self.grade.shape
        if not self.grade.size:
            return "There are no judgments to compare."
        if n_annotators < 2:
            return "Only one person has judged."
        return "Only one item was judged: it takes at least two." if n_items < 2 else ""


def _missing(n_items: int, n_annotators: int, filled: int) -> str:
    return (
        f"It needs every person to have judged every item: of {n_items * n_annotators:,} judgments "
        f"({n_annotators} people, {n_items:,} items) {filled:,} are there, "
        "also counting items that one person judged."
    )
