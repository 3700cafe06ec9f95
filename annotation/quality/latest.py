"""Of several judgments of one person on one pair, the last."""

import numpy as np

from annotation.quality.arrays import Bools, Ints
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable


def latest_rows(table: JudgmentTable, eligible: Bools) -> Ints:
    """Row numbers, ascending: for each person and pair the eligible row with the highest `sequence`.

    `eligible`: (n,). A person who judged a pair in two batches has revised it: the later one stands.
    """
    row = table.by_meeting[eligible[table.by_meeting]]
    key = table.meeting[row]
    chosen = np.zeros(len(table), dtype=np.bool_)
    chosen[row[np.append(key[1:] != key[:-1], True)[: len(key)]]] = True
    return np.flatnonzero(chosen).astype(np.int64)


def latest_grades(table: JudgmentTable, scale: Scale, eligible: Bools) -> Ints:
    """As `latest_rows`, without those whose last word is no grade of the scale: "cannot judge"."""
    row = latest_rows(table, eligible)
    return row[scale.holds(table.grade[row])]
