"""Which judgments agreement is measured on."""

import numpy as np

from annotation.quality.arrays import Bools, Ints, distinct
from annotation.quality.counted import counted_rows
from annotation.quality.inputs import Inputs
from annotation.quality.pairs import find
from annotation.quality.purpose import Purpose
from annotation.quality.votes import Votes, votes_of_rows


def agreement_rows(inputs: Inputs, *, with_excluded: bool = False) -> Ints:
    """Row numbers of counted judgments on ordinary pairs; `with_excluded`: those of excluded people, too.

    Planted gold, checks and repeats stay out: what is planted is chosen to be easy or hard and is judged by many more
    people, and a repeat compares a person with himself. A pair that is planted for anybody is out for everybody. Gold
    that people met as any other pair is compared as any other. Out are also
    judgments asked for because the first ones differed: pairs on which people agree have none of these.
    """
    table = inputs.table
    row = counted_rows(table, scale=inputs.scale, excluded=() if with_excluded else inputs.excluded)
    planted = distinct(table.pair[np.isin(table.purpose, (Purpose.GOLD, Purpose.CHECK))])
    _, is_planted = find(table.pair[row], planted)
    ordinary: Bools = ~is_planted & (table.purpose[row] == Purpose.ORDINARY)
    return row[ordinary]


def agreement_votes(inputs: Inputs, *, with_excluded: bool = False) -> tuple[Votes, Ints]:
    """The same as votes on numbered pairs, and the topic of each pair."""
    votes, key = votes_of_rows(inputs.table, agreement_rows(inputs, with_excluded=with_excluded))
    return votes, inputs.table.split_key(key)[0]
