"""Preferences of a group that come piece by piece: what follows from them.

A subgroup orders its documents by level; whatever follows from all subgroups of a group together (A
before B, B before C: A before C) is preferred too, as in trec_eval.
"""

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Bools, Floats, Ints, topic_of_row

CELLS = 1 << 24  # of the square tables that are closed together


def preferred(segment: Ints, level: Floats) -> tuple[Ints, Ints]:
    """`(better, worse)`: the pairs of rows of a segment of which one has the higher level. Both (n_rows,)."""
    order = np.lexsort((-level, segment))
    ends_segment, ends_level = np.ones(order.size, bool), np.ones(order.size, bool)
    ends_segment[:-1] = np.diff(segment[order]) != 0
    ends_level[:-1] = ends_segment[:-1] | (np.diff(level[order]) != 0)
    lower, past = _next(ends_level), _next(ends_segment)  # all rows from the next level to the end of the segment
    begin = np.concatenate([np.zeros(1, np.int64), np.cumsum(past - lower)])
    of = topic_of_row(begin)
    return order[of], order[np.arange(of.size) - (begin[:-1] - lower)[of]]


def _next(ends: Bools) -> Ints:
    """For each row the first one past its part; `ends` says where parts end."""
    end = np.flatnonzero(ends) + 1
    return np.repeat(end, np.diff(end, prepend=0))


def closed(group: Ints, better: Ints, worse: Ints) -> tuple[Ints, Ints]:
    """All pairs that follow from the given ones, in order; a pair of an item with itself is a contradiction.

    `group` (n_items,) ascends and is that of each item; pairs (n_pairs,) index the items, within a group. The steps are
    the logarithm of the largest group; groups of similar size are closed as one stack of square tables.
    """
    start = np.searchsorted(group, np.unique(group))
    of_item = np.searchsorted(start, np.arange(group.size), side="right") - 1
    size = np.diff(np.append(start, group.size))
    of_pair, n_pairs = of_item[better], np.zeros(start.size, np.int64)
    np.add.at(n_pairs, of_pair, 1)
    edges = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
    for groups, width in _stacks(size, n_pairs > 0):
        index = np.full(start.size, -1, np.int64)
        index[groups] = np.arange(groups.size)
        here = np.flatnonzero(index[of_pair] >= 0)
        first = start[of_pair[here]]
        table = np.zeros((groups.size, width, width), np.float32)
        table[index[of_pair[here]], better[here] - first, worse[here] - first] = 1.0
        at, one, other = np.nonzero(_closure(table))
        edges.append((start[groups[at]] + one, start[groups[at]] + other))
    one, other = (np.concatenate(part) for part in zip(*edges, strict=True))
    order = np.lexsort((other, one))
    return one[order], other[order]


def _closure(table: NDArray[np.float32]) -> Bools:
    """Warshall's closure by squaring: paths of twice the length at each step."""
    reached = table > 0
    while True:
        step: Bools = (np.matmul(table, table) > 0) | reached
        if (step == reached).all():
            return reached
        reached, table = step, step.astype(np.float32)


def _stacks(size: Ints, is_open: Bools) -> list[tuple[Ints, int]]:
    """`(groups, width)`: the wanted groups, those of similar size together, as many as make `CELLS` cells."""
    width = 1 << np.ceil(np.log2(np.maximum(size, 2))).astype(np.int64)
    stacks = list[tuple[Ints, int]]()
    for w in np.unique(width[is_open]).tolist():
        groups = np.flatnonzero(is_open & (width == w))
        at_once = max(1, CELLS // (w * w))
        stacks += [(part, int(size[part].max())) for part in np.split(groups, range(at_once, groups.size, at_once))]
    return stacks
