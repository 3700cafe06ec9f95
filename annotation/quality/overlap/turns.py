"""The judgments of each pair in the order in which people came to it, and a table cut off after so many."""

from dataclasses import replace

import numpy as np

from annotation.quality.arrays import Bools, Ints
from annotation.quality.inputs import Inputs
from annotation.quality.pairs import find
from annotation.quality.purpose import COUNTABLE
from annotation.quality.table import JudgmentTable


def turns_of(table: JudgmentTable) -> Ints:
    """(n,): how many people had judged the row's pair before its annotator first did. −1 for rows that took no room of
    the pair: surplus, repeats, checks, qualification, batches not chosen.

    A revision has the turn of the first answer. Somebody excluded, and somebody who could not judge, had a turn too.
    """
    turn = np.full(len(table), -1, dtype=np.int64)
    row = np.flatnonzero((table.reading == 1) & ~table.surplus & np.isin(table.purpose, COUNTABLE))
    row = row[np.argsort(table.sequence[row])]
    _, first, which = np.unique(table.meeting[row], return_index=True, return_inverse=True)
    turn[row] = _rank(table.pair[row[first]], first)[which]
    return turn


def numbers_of(table: JudgmentTable, turn: Ints) -> tuple[Ints, Ints]:
    """`(key, n)`, (n_pairs,) each: the pairs with a turn, ascending, and how many people had one."""
    key = np.unique(table.pair[turn >= 0])
    n = np.zeros(len(key), dtype=np.int64)
    row = np.flatnonzero(turn >= 0)
    np.maximum.at(n, np.searchsorted(key, table.pair[row]), turn[row] + 1)
    return key, n


def cut_off(inputs: Inputs, turn: Ints, key: Ints, limit: Ints) -> Inputs:
    """The inputs as they were when each pair, (n_pairs,) of sorted `key`, had its first `limit` judgments.

    Rows without a turn stay, and pairs that are not among `key`.
    """
    index, has_turn = find(inputs.table.pair, key)
    kept: Bools = (turn < 0) | ~has_turn | (turn < (limit[index] if len(limit) else 0))
    return replace(inputs, table=inputs.table.of(kept))


def _rank(group: Ints, turn: Ints) -> Ints:
    """(n,): how many of the same group stand before each one."""
    order = np.lexsort((turn, group))
    at = np.arange(len(group))
    begins = np.append(True, group[order][1:] != group[order][:-1])[: len(group)]
    rank = np.empty(len(group), dtype=np.int64)
    rank[order] = at - np.maximum.accumulate(np.where(begins, at, 0))
    return rank
