"""Other orders of tied documents than the packed one, for the rows that were found."""

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Bools, Floats, Ints, topic_of_row
from evaluation.engine.options import Options
from evaluation.engine.run import PackedRun, rounded


def reordered(run: PackedRun, row: Ints, options: Options) -> Ints:
    """The place of each row, (n_found,), counted through the whole run, under `options.ties` and `options.trec_eval`.

    Only rows of tied groups move, within their group. Averaged ties stay where they are.
    """
    if options.trec_eval == 9:
        return _by_docno_as_float32(run, row)
    if options.ties in ("docno", "averaged") or run.n_tied == 0:
        return row
    first, past = group(run, row)
    if options.ties == "docno ascending":
        return first + past - 1 - row
    return _by_file(run, row, first, past)


def is_tied(run: PackedRun, row: Ints, options: Options) -> Bools:
    """Whether each row shares its score, as `options.trec_eval` compares scores, with another of its topic."""
    return run.is_tied(row, np.float64 if options.trec_eval == 10 else np.float32)


def group(run: PackedRun, row: Ints, precision: type[np.floating] = np.float64) -> tuple[Ints, Ints]:
    """`(first, past)`: the rows first … past − 1 share the score, and the topic, of each row. (n_found,) each."""
    topic = np.searchsorted(run.start, row, side="right") - 1
    score = rounded(precision, run.score[row])
    first = _edge(run.score, run.start[topic], row, score, strict=False)
    return first, _edge(run.score, row, run.start[topic + 1], score, strict=True)


def _edge(scores: Floats, low: Ints, high: Ints, target: NDArray[np.floating], *, strict: bool) -> Ints:
    """The first of low … high whose score is not above the wanted one, or below it if `strict`; high if none.

    Scores descend, and are compared in the precision of `target`.
    """
    low, high = low.copy(), high.copy()
    while (searching := np.flatnonzero(low < high)).size:
        middle = (low[searching] + high[searching]) >> 1
        score = rounded(target.dtype.type, scores[middle])
        before = score >= target[searching] if strict else score > target[searching]
        low[searching] = np.where(before, middle + 1, low[searching])
        high[searching] = np.where(before, high[searching], middle)
    return low


def _by_file(run: PackedRun, row: Ints, first: Ints, past: Ints) -> Ints:
    moved = np.flatnonzero(past - first > 1)
    rows, of_group = _members(first[moved], past[moved])
    order = np.lexsort((run.place[_ordinal_of_tied(run)[rows]], of_group))
    return _placed(row, rows[order], rows, moved)


def _ordinal_of_tied(run: PackedRun) -> Ints:
    """For each row how many tied rows stand above it. (n_rows,)"""
    as_before = np.zeros(run.n_rows + 1, bool)
    as_before[1:-1] = run.score[1:] == run.score[:-1]
    as_before[run.start] = False
    tied = as_before[:-1] | as_before[1:]
    return np.cumsum(tied) - tied


def _by_docno_as_float32(run: PackedRun, row: Ints) -> Ints:
    """Groups that only 32 bits make, or make larger, are put in the order of their docnos, descending."""
    first, past = group(run, row, np.float32)
    exact_first, exact_past = group(run, row)
    moved = np.flatnonzero((first < exact_first) | (past > exact_past))
    rows, of_group = _members(first[moved], past[moved])
    return _placed(row, run.docno.descending(rows, of_group), rows, moved)


def _members(first: Ints, past: Ints) -> tuple[Ints, Ints]:
    """All rows of the distinct groups in order, and the ordinal of the group of each."""
    begin_row, index = np.unique(first, return_index=True)
    begin = np.concatenate([np.zeros(1, np.int64), np.cumsum(past[index] - begin_row)])
    of_group = topic_of_row(begin)
    return begin_row[of_group] + np.arange(of_group.size) - begin[of_group], of_group


def _placed(row: Ints, ordered: Ints, new_rows: Ints, moved: Ints) -> Ints:
    """`ordered[i]` now stands at `places[i]`; rows that did not move keep their own."""
    new_row, by_row = row.copy(), np.argsort(ordered)
    new_row[moved] = new_rows[by_row[np.searchsorted(ordered[by_row], row[moved])]]
    return new_row
