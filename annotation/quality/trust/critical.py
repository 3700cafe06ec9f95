"""Which judgments on gold are critical errors."""

import numpy as np

from annotation.quality.arrays import Bools, Ints
from annotation.quality.gold import Gold
from annotation.quality.inputs import Inputs

FAR = 2  # in steps of the scale


def far_off(gold: Gold) -> Bools:
    """(n, n_grades): True where a grade would be a critical error on the pair.

    That is two or more steps of the scale from the nearest accepted grade. Where grades besides the gold grade are
    accepted, somebody has said what may pass: then it is every grade outside the set.
    """
    n_grades = gold.accepted.shape[1]
    step = np.arange(n_grades)
    apart = np.abs(step[:, None] - step[None, :])
    distance = np.where(gold.accepted[:, None, :], apart[None, :, :], n_grades).min(axis=2, initial=n_grades)
    explicit = gold.accepted.sum(axis=1) > 1
    return np.where(explicit[:, None], ~gold.accepted, distance >= FAR)


def critical_errors(inputs: Inputs, moment: Ints | None = None) -> tuple[Ints, Bools]:
    """`(row, critical)`, (n_scored,) each, in the order of judging.

    The judgments are those that accuracy is of: see `gold_accuracy`. `moment`: (n_rows,), ascending with the time of
    judging; among equals, and without it, the order is that of saving. A revised judgment is made with its revision.
    """
    table, scored = inputs.table, inputs.scored
    when = np.zeros(len(table), dtype=np.int64) if moment is None else moment
    order = np.lexsort((table.sequence[scored.row], when[scored.row]))
    row, pair = scored.row[order], scored.pair[order]
    return row, far_off(inputs.gold)[pair, inputs.scale.index_of(table.grade[row])]
