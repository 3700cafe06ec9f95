"""The judgments on which agreement among people is measured."""

import numpy as np

from annotation.quality.agreement import agreement_rows
from annotation.quality.arrays import Ints
from annotation.quality.inputs import Inputs
from annotation.quality.votes import Votes


def agreed_votes(inputs: Inputs) -> tuple[Votes, Ints]:
    """Ordinary pairs numbered, with what counts on them, and the topic of each pair."""
    table = inputs.table
    row = agreement_rows(table, gold=inputs.gold, scale=inputs.scale, excluded=inputs.excluded)
    key, pair = np.unique(table.pair[row], return_inverse=True)
    votes = Votes(pair.astype(np.int64), table.annotator[row], table.grade[row], len(key))
    return votes, table.split_key(key)[0]
