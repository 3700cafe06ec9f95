"""Silent repeats: the same pair a second time, in a later block. They tell whether a person's answers hold."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.annotators.figure import Figures, shares_of_counts
from annotation.quality.arrays import Ints, tally
from annotation.quality.inputs import Inputs
from annotation.quality.latest import latest_grades
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
    in_time = ~table.surplus
    second = latest_grades(table, scale, in_time & (table.purpose == Purpose.REPEAT))
    first = latest_grades(table, scale, in_time & (table.reading == 1) & (table.purpose != Purpose.ELSEWHERE))
    key = table.meeting
    _, at_first, at_second = np.intersect1d(key[first], key[second], assume_unique=True, return_indices=True)
    first, second = first[at_first], second[at_second]
    steps = np.abs(scale.index_of(table.grade[first]) - scale.index_of(table.grade[second]))
    who, n_annotators = table.annotator[first], len(table.annotators)
    return Repeats(*(tally(who[chosen], n_annotators) for chosen in (steps >= 0, steps == 0, steps <= 1)))


@dataclass(frozen=True, eq=False)
class Consistency:
    """Shares of repeats with Wilson intervals. Somebody who always gives one grade is wholly consistent."""

    same: Figures
    near: Figures  # at most a step of the scale away


def consistency_of(inputs: Inputs) -> Consistency:
    repeats, what = self_consistency(inputs.table, inputs.scale), "pairs judged a second time"
    return Consistency(*(shares_of_counts(k, repeats.n, what) for k in (repeats.n_same, repeats.n_near)))
