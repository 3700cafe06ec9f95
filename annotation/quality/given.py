"""Which grades people give: a person who always gives the same one is seen at a glance."""

import numpy as np

from annotation.quality.arrays import Ints
from annotation.quality.latest import latest_rows
from annotation.quality.purpose import Purpose
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable


def given_rows(table: JudgmentTable) -> Ints:
    """Row numbers, ascending: each person's standing answer on each pair of the chosen batches, whoever they are.

    First reading, latest revision; no surplus, checks and qualification. Exclusion, blindness and scale play no part.
    """
    asked = np.isin(table.purpose, (Purpose.ORDINARY, Purpose.GOLD, Purpose.ADDED))
    return latest_rows(table, asked & (table.reading == 1) & ~table.surplus)


def grades_given(table: JudgmentTable, scale: Scale) -> Ints:
    """(n_annotators, n_grades): how often each person gave each grade, over `given_rows`."""
    row = given_rows(table)
    row = row[scale.holds(table.grade[row])]
    n_grades = len(scale.grades)
    cell = table.annotator[row] * n_grades + scale.index_of(table.grade[row])
    counts = np.bincount(cell, minlength=len(table.annotators) * n_grades)
    return counts.reshape(-1, n_grades).astype(np.int64)
