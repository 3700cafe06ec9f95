"""Attention checks: documents of a distant topic, which only somebody who does not look would call relevant."""

from dataclasses import dataclass

from annotation.quality.arrays import Ints, tally
from annotation.quality.latest import latest_grades
from annotation.quality.purpose import Purpose
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable


@dataclass(frozen=True, eq=False)
class Checks:
    """(n_annotators,) each: attention checks judged, and passed."""

    n: Ints
    n_passed: Ints


def checks_passed(table: JudgmentTable, scale: Scale) -> Checks:
    """A check is passed with the lowest grade; "cannot judge" and surplus judgments are no answer to it.

    First reading, latest revision, as everywhere.
    """
    row = latest_grades(table, scale, (table.purpose == Purpose.CHECK) & (table.reading == 1) & ~table.surplus)
    passed = row[table.grade[row] == scale.bottom]
    n_annotators = len(table.annotators)
    return Checks(tally(table.annotator[row], n_annotators), tally(table.annotator[passed], n_annotators))
