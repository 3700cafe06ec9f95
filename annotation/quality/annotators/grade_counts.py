"""Which grades each annotator gives: somebody who always gives the same one is seen at a glance."""

from annotation.quality.arrays import Ints, crosstab
from annotation.quality.counted import answer_rows
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable


def grades_given(table: JudgmentTable, scale: Scale) -> Ints:
    """(n_annotators, n_grades): how often each person gave each grade, in their last answer to each pair."""
    row = answer_rows(table, count_not_blind=True)
    row = row[scale.holds(table.grade[row])]
    step = scale.index_of(table.grade[row])
    return crosstab(table.annotator[row], step, len(table.annotators), len(scale.grades))
