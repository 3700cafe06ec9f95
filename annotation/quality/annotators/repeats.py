"""Silent repeats: the same pair a second time, in a later block. They tell whether a person's answers hold."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Bools, Ints, tally
from annotation.quality.latest import latest_rows
from annotation.quality.purpose import Purpose
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable


@dataclass(frozen=True, eq=False)
class Repeats:
    """(n_annotators,) each: pairs judged twice, with the same grade, and with one at most a step of the scale away."""

    n: Ints
    n_same: Ints
    n_near: Ints


def self_consistency(table: JudgmentTable, scale: Scale) -> Repeats:
    """Of each person and repeated pair the last revision of the first reading against that of the second.

    Pairs that the person could not judge in either reading are left out, and so are surplus judgments. A step is one
    place on the scale, whatever its numbers.
    """
    second = _graded(table, scale, table.purpose == Purpose.REPEAT)
    first = _graded(table, scale, (table.reading == 1) & (table.purpose != Purpose.ELSEWHERE))
    key = table.meeting
    _, at_first, at_second = np.intersect1d(key[first], key[second], assume_unique=True, return_indices=True)
    first, second = first[at_first], second[at_second]
    steps = np.abs(scale.index_of(table.grade[first]) - scale.index_of(table.grade[second]))
    who, n_annotators = table.annotator[first], len(table.annotators)
    return Repeats(*(tally(who[chosen], n_annotators) for chosen in (steps >= 0, steps == 0, steps <= 1)))


def _graded(table: JudgmentTable, scale: Scale, chosen: Bools) -> Ints:
    """Rows that stand, one a person and pair, with a grade of the scale."""
    row = latest_rows(table, chosen & ~table.surplus)
    return row[scale.holds(table.grade[row])]
