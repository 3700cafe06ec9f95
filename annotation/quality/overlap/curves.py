"""What a confidence is worth on one stopping path: a curve of its own for each number of judgments, learned on gold.

A pair that went on to one judgment more is a harder one than those that stopped: the same
confidence is worth less there. So each path has its own curve, learned on the gold pairs that took
the same path.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Bools, Floats
from annotation.quality.calibration import Calibrator, fit_calibrator
from annotation.quality.crossfit import CrossFit, joined
from annotation.quality.overlap.state import State
from annotation.quality.pairs import find

ENOUGH = 20  # gold pairs on a path, without which its confidences have no known worth


@dataclass(frozen=True, eq=False)
class PathCurve:
    """`calibrator`: None where fewer than `ENOUGH` gold pairs took the path."""

    n: int
    n_gold: int
    calibrator: Calibrator | None


def learn_curve(state: State, n: int, here: Bools) -> PathCurve:
    """Writes down how probable the grade is right of every pair that has come to its n-th judgment `here`; NaN where
    nobody can tell.

    The curve is learned on gold pairs that the policy graded as if their fold had none.
    """
    parts = [state.on_gold(fold, here) for fold in state.folds.numbers] if here.any() else []
    curve = _curve(n, parts)
    if curve.calibrator is not None:
        unknown = here & ~state.gold
        state.probability[unknown] = _without_gold(state, curve.calibrator, unknown)
        for part in parts:
            index = find(state.inputs.table.keys_of(part), state.key)[0]
            state.probability[index] = np.where(part.kept, curve.calibrator.probability(part.confidence), 0.0)
    return curve


def _curve(n: int, parts: Sequence[CrossFit]) -> PathCurve:
    cross_fit = joined(list(parts))
    confidence, right = cross_fit.confidence[cross_fit.kept], cross_fit.right[cross_fit.kept]
    return PathCurve(n, len(right), fit_calibrator(confidence, right) if len(right) >= ENOUGH else None)


def _without_gold(state: State, calibrator: Calibrator, pairs: Bools) -> Floats:
    """Of the pairs whose grade is not known; one that the policy does not keep is right with probability 0."""
    outcome = state.outcome()
    index, is_decided = find(state.key[pairs], state.inputs.table.keys_of(outcome))
    kept = is_decided & outcome.kept[index]
    return np.where(kept, calibrator.probability(outcome.confidence[index]), 0.0)
