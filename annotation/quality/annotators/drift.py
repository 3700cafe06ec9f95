"""Drift: whether a person becomes milder, stricter or less accurate in the course of all their work.

Differential rater functioning over time, in its simplest form: P. A. Congdon and J. McQueen, The
stability of rater severity in large-scale assessment programs, Journal of Educational Measurement
37 (2000).
"""

from dataclasses import dataclass

import numpy as np

from annotation.quality.annotators.answers import OnGold
from annotation.quality.annotators.figure import Figures
from annotation.quality.annotators.means import slopes
from annotation.quality.arrays import Ints
from annotation.quality.inputs import Inputs

PER = 100.0  # judgments
LEAST = 20
WHAT = "gold pairs judged"


@dataclass(frozen=True, eq=False)
class Drift:
    """Changes in `PER` judgments, with Student's intervals. Needs no times: places are those in the order of saving.

    Each gold grade has a level of its own: who always gives grade 2 is right where gold of grade 2 comes, and has not
    changed when other gold does.
    """

    right: Figures  # of the share right on gold
    shift: Figures  # of the leniency on gold, in steps


def drift_of(inputs: Inputs, gold: OnGold) -> Drift:
    n_annotators = len(inputs.table.annotators)
    ordinal = _ordinals(inputs)[gold.row] / PER
    right, shift = (gold.off == 0).astype(np.float64), (gold.step - gold.known).astype(np.float64)
    return Drift(
        slopes(gold.who, ordinal, right, n_annotators, WHAT, least=LEAST, alike=gold.known),
        slopes(gold.who, ordinal, shift, n_annotators, WHAT, least=LEAST, alike=gold.known),
    )


def _ordinals(inputs: Inputs) -> Ints:
    """(n,): the number of each judgment among those of its person, from 0."""
    table = inputs.table
    order = np.lexsort((table.sequence, table.annotator))
    n = np.bincount(table.annotator, minlength=len(table.annotators))
    start = np.cumsum(n) - n
    ordinal = np.zeros(len(table), dtype=np.int64)
    ordinal[order] = np.arange(len(table)) - start[table.annotator[order]]
    return ordinal
