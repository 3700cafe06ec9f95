"""A method by its name and parameters, and the run that it makes of several."""

from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.fusion import METHODS
from evaluation.engine.fusion.entries import Entries, entries_of
from evaluation.engine.fusion.method import Method
from evaluation.engine.run import PackedRun, RunPart, RunTable

DEPTH = 1000


def method_named(name: str, parameters: Mapping[str, object]) -> Method:
    """The method, with those of the parameters that are not None. Raises `ValueError` for an unknown name, a parameter
    that the method does not have, and one out of its range."""
    if name not in METHODS:
        raise ValueError(f"a method of fusion is one of {', '.join(METHODS)}, not {name!r}")
    kind = METHODS[name]
    chosen = {key: value for key, value in parameters.items() if value is not None}
    for key in chosen:
        if key not in kind.parameters():
            raise ValueError(f"{kind.title} has no parameter {key}")
    return kind(**chosen)


def fuse(runs: Sequence[PackedRun], method: Method, *, tag: str, depth: int = DEPTH) -> RunTable:
    """A run of the first `depth` documents of each topic that any of the runs has, by descending fused score.

    Equal fused scores are ordered as all scores are: docno descending. A document that a run lacks, and a topic that it
    lacks, count as the method says. Whatever the order of the runs, the result is the same to the last bit.
    Raises `ValueError` for fewer than two runs, a depth below 1, and sums of scores that are not finite.
    """
    if depth < 1:
        raise ValueError(f"the depth of a fused run is at least 1, not {depth}")
    entries = entries_of(runs)
    with np.errstate(over="ignore", invalid="ignore"):
        score = method.fused(entries)
    if not np.isfinite(score).all():
        raise ValueError("the fused scores are not finite: the runs' scores are too large to be added")
    return _table(entries, score, _tops(entries, score, depth), tag)


def _tops(entries: Entries, score: Floats, depth: int) -> Ints:
    """The pairs in evaluated order, cut at the depth. (n_rows,)"""
    by_docno = entries.docno.descending(np.arange(entries.n_pairs), entries.topic)
    order = by_docno[np.lexsort((-score[by_docno], entries.topic[by_docno]))]
    n_pairs = np.bincount(entries.topic, minlength=len(entries.numbers))
    rank = np.arange(order.size) - np.repeat(np.cumsum(n_pairs) - n_pairs, n_pairs)
    return order[rank < depth]


def _table(entries: Entries, score: Floats, rows: Ints, tag: str) -> RunTable:
    length = np.bincount(entries.topic[rows], minlength=len(entries.numbers))
    group = np.arange(length.size, dtype=np.int32)
    return RunTable(tag, entries.numbers, (RunPart(group, length, entries.docno.take(rows), score[rows]),))
