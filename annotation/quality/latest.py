"""Of several judgments of one person on one pair, the last."""

import numpy as np

from annotation.quality.arrays import Bools, Ints
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable


def latest_rows(table: JudgmentTable, eligible: Bools) -> Ints:
    """Row numbers, ascending: for each person and pair the eligible row with the highest `sequence`.

    `eligible`: (n,). A person who judged a pair in two batches has revised it: the later one stands.
    """
    row = np.flatnonzero(eligible)
    key = table.meeting[row]
    order = np.lexsort((table.sequence[row], key))
    key = key[order]
    last = np.append(key[1:] != key[:-1], True)[: len(key)]
    return np.sort(row[order[last]]).astype(np.int64)


def latest_grades(table: JudgmentTable, scale: Scale, eligible: Bools) -> Ints:
    """As `latest_rows`, without those whose last word is no grade of the scale: "cannot judge"."""
    row = latest_rows(table, eligible)
    return row[scale.holds(table.grade[row])]
