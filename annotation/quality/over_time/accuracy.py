"""Accuracy on gold in the course of time, of all people together, with Wilson's interval."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Bools, Ints
from annotation.quality.inputs import Inputs
from annotation.quality.over_time.stretches import stretches
from annotation.quality.purpose import Purpose
from annotation.quality.wilson import Share

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


def accuracy_over_time(inputs: Inputs, moment: Ints, *, least: int = LEAST_GOLD) -> list[AccuracyPoint]:
    """Of gold judged in the chosen batches; `moment`, (n_table,): when each row was saved; `least`: gold judgments of a
    stretch. Excluded people are out.

    Judgments of one person resemble each other more than the interval assumes.
    """
    scored = inputs.scored
    out = np.isin(inputs.table.annotator[scored.row], sorted(inputs.excluded))
    here = (inputs.table.purpose[scored.row] != Purpose.ELSEWHERE) & ~out
    times, right = moment[scored.row[here]], scored.right[here]
    return [_point(times[part], right[part]) for part in stretches(times, least=least)]


def _point(times: Ints, right: Bools) -> AccuracyPoint:
    share = Share(int(right.sum()), len(right))
    return AccuracyPoint(int(times.min()), int(times.max()), share.n, share.n_yes, *share.interval)
