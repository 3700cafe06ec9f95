"""Which judgments agreement is measured on."""

from collections.abc import Collection

import numpy as np

from annotation.quality.arrays import Bools, Ints
from annotation.quality.counted import counted_rows
from annotation.quality.gold import Gold
from annotation.quality.pairs import find
from annotation.quality.purpose import Purpose
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable


def agreement_rows(table: JudgmentTable, *, gold: Gold, scale: Scale, excluded: Collection[int] = ()) -> Ints:
    """Row numbers of counted judgments on ordinary pairs.

    Gold, checks and repeats stay out: gold pairs and checks are chosen to be easy or hard and are judged by many more
    people, and a repeat compares a person with himself. A pair that is a check for anybody is out for everybody. So do
    judgments asked for because the first ones differed: pairs on which people agree have none of these.
    """
    row = counted_rows(table, scale=scale, excluded=excluded)
    planted = np.unique(table.pair[table.purpose == Purpose.CHECK])
    apart = np.union1d(planted, table.keys_of(gold)).astype(np.int64)
    _, known = find(table.pair[row], apart)
    ordinary: Bools = ~known & (table.purpose[row] == Purpose.ORDINARY)
    return row[ordinary]
