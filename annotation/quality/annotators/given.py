"""Which grades each annotator gives: somebody who always gives the same one is seen at a glance."""

import numpy as np

from annotation.quality.arrays import Ints
from annotation.quality.counted import answer_rows
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable


def grades_given(table: JudgmentTable, scale: Scale) -> Ints:
    """(n_annotators, n_grades): how often each person gave each grade, in their last answer to each pair."""
    row = answer_rows(table, count_not_blind=True)
    row = row[scale.holds(table.grade[row])]
    n_grades = len(scale.grades)
    cell = table.annotator[row] * n_grades + scale.index_of(table.grade[row])
    counts = np.bincount(cell, minlength=len(table.annotators) * n_grades)
    return counts.reshape(-1, n_grades).astype(np.int64)
