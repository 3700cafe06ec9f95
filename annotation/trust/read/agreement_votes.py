"""The judgments on which agreement among people is measured."""

from annotation.quality.agreement import agreement_rows
from annotation.quality.arrays import Ints
from annotation.quality.inputs import Inputs
from annotation.quality.votes import Votes, votes_of_rows


def agreed_votes(inputs: Inputs) -> tuple[Votes, Ints]:
    """Ordinary pairs numbered, with what counts on them, and the topic of each pair."""
    table = inputs.table
    row = agreement_rows(table, gold=inputs.gold, scale=inputs.scale, excluded=inputs.excluded)
    votes, key = votes_of_rows(table, row)
    return votes, table.split_key(key)[0]
