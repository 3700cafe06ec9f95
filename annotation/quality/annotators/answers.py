"""The answers that statistics of annotators read, in steps of the scale."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.agreement.rows import agreement_rows
from annotation.quality.arrays import Bools, Floats, Ints, crosstab, divided
from annotation.quality.counted import counted_rows, excluded_mask
from annotation.quality.inputs import Inputs
from annotation.quality.trust.critical import far_off


@dataclass(frozen=True, eq=False)
class OnGold:
    """Judgments on gold as accuracy scores them, (n,) each; a step is one place on the scale, whatever its numbers."""

    row: Ints  # of the judgment table
    pair: Ints  # place in the gold
    who: Ints
    step: Ints  # the grade given
    known: Ints  # the gold grade
    off: Ints  # steps from the nearest accepted grade; 0 is right
    critical: Bools  # as the watch on critical errors has it (`trust/critical.py`)


@dataclass(frozen=True, eq=False)
class BesideOthers:
    """Judgments on ordinary pairs that somebody else judged too, (n,) each. Others are those not excluded."""

    who: Ints
    step: Ints
    n_others: Ints
    n_same: Ints  # of the others, with the same grade
    middle: Floats  # the others' median; halfway between the two in the middle of an even number
    others_above: Floats  # share of the others with more than the lowest grade
    among: Floats  # share of every two of the others who agree; NaN where there is only one


def on_gold(inputs: Inputs) -> OnGold:
    table, gold, scale = inputs.table, inputs.gold, inputs.scale
    row, pair = inputs.scored.row, inputs.scored.pair
    step = scale.index_of(table.grade[row])
    far = np.abs(np.arange(len(scale.grades)) - step[:, None])  # (n, n_grades)
    off = np.where(gold.accepted[pair], far, len(scale.grades)).min(axis=1, initial=len(scale.grades))
    known = scale.index_of(gold.grade[pair])
    off = np.where(gold.accepted[pair].any(axis=1), off, np.abs(step - known))
    return OnGold(row, pair, table.annotator[row], step, known, off.astype(np.int64), far_off(gold)[pair, step])


def beside_others(inputs: Inputs) -> BesideOthers:
    """Planted gold, checks and repeats stay out, as everywhere where people are compared."""
    table, scale = inputs.table, inputs.scale
    row = agreement_rows(inputs, with_excluded=True)
    who, step = table.annotator[row], scale.index_of(table.grade[row])
    counted = ~excluded_mask(table, inputs.excluded)[who]
    others = _others(table.pair[row], step, counted, len(scale.grades))
    n_others = others.sum(axis=1)
    shared = n_others > 0
    who, step, others, n_others = who[shared], step[shared], others[shared], n_others[shared]
    same = np.take_along_axis(others, step[:, None], axis=1)[:, 0]
    couples = n_others * (n_others - 1)
    among = divided((others * (others - 1)).sum(axis=1), couples)
    above = divided(others[:, 1:].sum(axis=1), n_others)
    return BesideOthers(who, step, n_others, same, _middle(others, n_others), above, among)


def in_order(inputs: Inputs) -> tuple[Ints, Ints]:
    """`(who, step)`, (n,) each: everybody's answers with a grade, person by person, in the order they were saved."""
    table = inputs.table
    row = counted_rows(table, scale=inputs.scale, count_not_blind=True)
    row = row[np.lexsort((table.sequence[row], table.annotator[row]))]
    return table.annotator[row], inputs.scale.index_of(table.grade[row])


def _others(pair: Ints, step: Ints, counted: Bools, n_grades: int) -> Ints:
    """(n, n_grades): how often the others gave each grade to the pair of each judgment."""
    key, index = np.unique(pair, return_inverse=True)
    counts = crosstab(index[counted], step[counted], len(key), n_grades)
    others = counts[index]
    others[np.arange(len(step)), step] -= counted
    return np.asarray(others, dtype=np.int64)


def _middle(counts: Ints, n: Ints) -> Floats:
    upto = counts.cumsum(axis=1)
    low = (upto >= ((n + 1) // 2)[:, None]).argmax(axis=1)
    high = (upto >= (n // 2 + 1)[:, None]).argmax(axis=1)
    return np.asarray((low + high) / 2, dtype=np.float64)
