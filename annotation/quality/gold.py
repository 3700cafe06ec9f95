"""Gold: the pairs whose grade is known, and which grades count as right there."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Bools, Ints, frozen_column
from annotation.quality.pairs import Pairs, known_pairs
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable


@dataclass(frozen=True, eq=False)
class Gold(Pairs):
    """`grade`: (n,), each on the scale. `accepted`: (n, n_grades), True where a grade counts as right."""

    grade: Ints
    accepted: Bools

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "grade", frozen_column(self.grade, np.int64, "grade", len(self)))
        accepted = np.array(self.accepted, dtype=np.bool_)
        if accepted.ndim != 2 or len(accepted) != len(self):
            raise ValueError(f"accepted must be of shape ({len(self)}, n_grades), not {accepted.shape}")
        accepted.setflags(write=False)
        object.__setattr__(self, "accepted", accepted)

    def of(self, chosen: Bools) -> "Gold":
        """The pairs chosen, (n,)."""
        return Gold(self.topic[chosen], self.document[chosen], self.grade[chosen], self.accepted[chosen])

    def check_scale(self, scale: Scale) -> None:
        """Raise `ValueError` for a grade outside the scale or an accepted set of another width."""
        if self.accepted.shape[1] != len(scale.grades):
            raise ValueError(f"accepted has {self.accepted.shape[1]} columns, the scale {len(scale.grades)} grades")
        if not scale.holds(self.grade).all():
            raise ValueError("a gold grade is not on the scale")


def gold_pairs(
    table: JudgmentTable,
    *,
    number: Sequence[str],
    docno: Sequence[str],
    grade: Sequence[int] | Ints,
    scale: Scale,
    accepted: Sequence[Collection[int] | None] | None = None,
) -> Gold:
    """Gold from external ids; pairs unknown to the table are left out.

    `accepted`: for each pair the grades that count as right, None for the gold grade alone. Raises `ValueError` for a
    pair given twice or a grade outside the scale.
    """
    topic, document, row = known_pairs(table, number, docno)
    known_grade = np.asarray(grade, dtype=np.int64)[row]
    sets = [accepted[i] if accepted else None for i in row.tolist()]
    right = [{known} if these is None else set(these) for known, these in zip(known_grade.tolist(), sets, strict=True)]
    matrix = np.array([[g in these for g in scale.grades] for these in right], dtype=np.bool_)
    gold = Gold(topic, document, known_grade, matrix.reshape(len(row), len(scale.grades)))
    gold.check_scale(scale)
    return gold
