"""What must come out in every last bit as a program that goes from rank to rank, one number at a time, has it."""

from collections.abc import Callable, Iterator
from itertools import accumulate, repeat
from operator import mul
from typing import cast

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints
from evaluation.engine.rankings import Rankings
from evaluation.engine.rows import Rows


def each(rankings: Rankings, of: Callable[[float], float], value: Floats) -> Floats:
    """`of(x)` elementwise: once for each x that occurs, by Python's own mathematics, as C's.

    numpy's and torch's logarithms differ from C's, and from one another, in the last bit.
    """
    values, index = rankings.backend.distinct(value)
    return rankings.backend.put(np.fromiter(map(of, values.tolist()), np.float64, values.size))[index]


def highest(rankings: Rankings, value: Floats) -> Floats:
    """The greatest of a value of found rows over each topic; 0 where there is none above. (n_topics,)"""
    return rankings.backend.highest(value, rankings.topic, rankings.n_topics)


def accumulated(rankings: Rankings, value: Floats) -> Floats:
    """Sum of a value over the found rows of the topic up to and with each, added one after the other. (n_found,)"""
    return _accumulated(rankings, value, rankings.rows)


def ideal_accumulated(rankings: Rankings, value: Floats) -> Floats:
    """The same over the ideal rows. (n_pairs,)"""
    return _accumulated(rankings, value, rankings.ideal)


def _accumulated(rankings: Rankings, value: Floats, rows: Rows) -> Floats:
    """Topics of similar length are the rows of one padded matrix, which are summed along."""
    backend, total = rankings.backend, value
    for at, real, source, here in _matrices(rankings, rows):
        cell = backend.put_index(at)
        padded = backend.where(backend.put(real) > 0, value[cell], 0.0)
        flat = backend.running_rows(padded).reshape(-1)
        total = backend.where(backend.put(here) > 0, flat[backend.put_index(source)], total)
    return total


def _matrices(rankings: Rankings, rows: Rows) -> Iterator[tuple[Ints, Floats, Ints, Floats]]:
    """`(at, real, place, here)` for all topics with up to 2, 4, 8 … rows (a row alone is its own sum).

    `at` (n, width) is the row in each cell, `real` 1 where there is one; `source` (n_rows,) is the cell of each row,
    `here` 1 where it has one in this matrix.
    """
    begin = cast("Ints", rankings.backend.get(cast("Floats", rows.begin)))
    if begin.size == 0:
        return
    first = np.unique(begin)
    length = np.diff(np.append(first, begin.size))
    width = 1 << np.ceil(np.log2(length)).astype(np.int64)
    width_of_row, within = np.repeat(width, length), np.arange(begin.size) - begin
    for w in np.unique(width[width > 1]).tolist():
        chosen = np.flatnonzero(width == w)
        cell = first[chosen, None] + np.arange(w)
        real: Bools = np.arange(w) < length[chosen, None]
        here = width_of_row == w
        source = np.where(here, np.searchsorted(first[chosen], begin, side="right") * w - w + within, 0)
        yield np.where(real, cell, 0), real.astype(np.float64), source, here.astype(np.float64)


def powers(rankings: Rankings, p: float) -> Floats:
    """p^(rank − 1) of each found row, multiplied up from rank to rank. (n_found,)"""
    power = list(accumulate(repeat(p, rankings.rows.deepest), mul, initial=1.0))
    return rankings.by_rank(lambda rank: power[rank - 1])
