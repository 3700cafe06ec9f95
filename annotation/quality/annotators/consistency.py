"""Whether a person gives the same answer again: silent repeats of pairs judged before (`repeats.py`)."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.annotators.figure import Figures, figures
from annotation.quality.annotators.repeats import self_consistency
from annotation.quality.arrays import Ints
from annotation.quality.inputs import Inputs
from annotation.quality.wilson import wilson_interval


@dataclass(frozen=True, eq=False)
class Consistency:
    """Shares of repeats with Wilson intervals. Somebody who always gives one grade is wholly consistent."""

    same: Figures
    near: Figures  # at most a step of the scale away


def consistency_of(inputs: Inputs) -> Consistency:
    repeats = self_consistency(inputs.table, inputs.scale)
    return Consistency(_share(repeats.n_same, repeats.n), _share(repeats.n_near, repeats.n))


def _share(k: Ints, n: Ints) -> Figures:
    interval = wilson_interval(k, n)
    return figures(k / np.maximum(n, 1), n, "pairs judged a second time", low=interval.low, high=interval.high)
