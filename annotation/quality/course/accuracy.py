"""Accuracy on gold in the course of time, of all people together, with Wilson's interval."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.accuracy import gold_scored
from annotation.quality.arrays import Ints
from annotation.quality.course.stretches import stretches
from annotation.quality.inputs import Inputs
from annotation.quality.purpose import Purpose
from annotation.quality.wilson import wilson_interval

LEAST_GOLD = 40  # gold judgments of a stretch


@dataclass(frozen=True)
class AccuracyPoint:
    """Gold judgments of a stretch of time and how many of them are right. `begin` and `end` are moments."""

    begin: int
    end: int
    n_gold: int
    n_right: int
    low: float
    high: float

    @property
    def value(self) -> float:
        return self.n_right / self.n_gold


def accuracy_course(inputs: Inputs, moment: Ints, *, least: int = LEAST_GOLD) -> list[AccuracyPoint]:
    """Of gold judged in the chosen batches; `moment`, (n_table,): when each row was saved; `least`: gold judgments of a
    stretch. Excluded people are out.

    Judgments of one person resemble each other more than the interval assumes.
    """
    row, right = gold_scored(inputs.table, inputs.gold, inputs.scale)
    out = np.isin(inputs.table.annotator[row], sorted(inputs.excluded))
    here = (inputs.table.purpose[row] != Purpose.ELSEWHERE) & ~out
    row, right = row[here], right[here]
    points = []
    for part in stretches(moment[row], least=least):
        n, k = len(part), int(right[part].sum())
        interval = wilson_interval(np.array([k]), np.array([n]))
        times = moment[row[part]]
        low, high = float(interval.low[0]), float(interval.high[0])
        points.append(AccuracyPoint(int(times.min()), int(times.max()), n, k, low, high))
    return points
