"""Depth-k pools: which documents of several runs are worth a judgment, and in which order."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from annotation.formats.text import Text
from evaluation.engine.arrays import Bools, Floats, Ints
from evaluation.engine.run import PackedRun

RRF_K = 60  # the constant of reciprocal rank fusion in the paper


@dataclass(frozen=True, eq=False)
class PooledPairs:
    """The pool, topic after topic (numbers in byte order), in fused order. All columns are (n_pairs,)."""

    number: list[str] = field(repr=False)
    docno: list[str] = field(repr=False)
    best_rank: Ints = field(repr=False)  # the best rank any run gives the document, from 1
    n_runs: Ints = field(repr=False)  # runs that have it within the depth
    fused: Floats = field(repr=False)  # Σ 1 / (60 + rank) over those runs

    def __len__(self) -> int:
        return len(self.number)


def pool(runs: Sequence[PackedRun], *, depth: int, numbers: Sequence[str] | None = None) -> PooledPairs:
    """The first `depth` documents of each run for each chosen topic, each pair once.

    Fused order: descending sum of 1 / (60 + rank) over the runs that have the document within the depth, equal sums
    by docno descending as bytes. So a pool that is judged from the top is useful wherever the judging stops.
    `numbers` None: all topics of the runs; a number that no run has gives nothing. Raises `ValueError` for no runs, a
    depth below 1, no topics.

    Cormack, Clarke and Büttcher, Reciprocal rank fusion outperforms Condorcet and individual rank learning methods,
    SIGIR 2009. Pooling: Spärck Jones and van Rijsbergen, Report on the need for and provision of an ideal test
    collection, 1975.
    """
    return _pooled(runs, depth, _numbers(runs, depth, numbers))[0]


def pool_with_ranks(
    runs: Sequence[PackedRun], *, depth: int, numbers: Sequence[str] | None = None
) -> tuple[PooledPairs, Ints]:
    """The pool, and the rank that each run gives each of its pairs, 0 beyond the depth: (n_pairs, n_runs)."""
    pairs, pair, run, rank = _pooled(runs, depth, _numbers(runs, depth, numbers))
    ranks = np.zeros((len(pairs), len(runs)), np.int64)
    ranks[pair, run] = rank
    return pairs, ranks


def _pooled(runs: Sequence[PackedRun], depth: int, chosen: list[str]) -> tuple[PooledPairs, Ints, Ints, Ints]:
    """The pool; of each row of the tops, its pair, run and rank."""
    topic, docno, rank, run = _tops(runs, depth, chosen)
    order, new = grouped_pairs(topic, docno)
    code = np.empty(topic.size, np.int64)
    code[order] = np.cumsum(new) - 1
    first = order[new]
    fused = np.bincount(code, weights=1.0 / (RRF_K + rank), minlength=first.size).astype(np.float64)
    best = np.full(first.size, np.iinfo(np.int64).max)
    np.minimum.at(best, code, rank)
    by_docno = docno.descending(first, topic[first])
    ordinal = np.empty(topic.size, np.int64)
    ordinal[by_docno] = np.arange(first.size)
    final = np.lexsort((ordinal[first], -fused, topic[first]))
    at = np.empty(first.size, np.int64)
    at[final] = np.arange(first.size)
    pairs = PooledPairs(
        number=[chosen[t] for t in topic[first[final]].tolist()],
        docno=list(docno.take(first[final])),
        best_rank=best[final],
        n_runs=np.bincount(code, minlength=first.size)[final],
        fused=fused[final],
    )
    return pairs, at[code], run, rank


def pool_counts(runs: Sequence[PackedRun], *, depth: int, numbers: Sequence[str] | None = None) -> dict[str, int]:
    """How many pairs `pool` would give for each topic, 0 included: for a live preview."""
    chosen = _numbers(runs, depth, numbers)
    topic, docno, _, _ = _tops(runs, depth, chosen)
    order, new = grouped_pairs(topic, docno)
    counts = np.bincount(topic[order[new]], minlength=len(chosen)).tolist()
    return dict(zip(chosen, counts, strict=True))


def _numbers(runs: Sequence[PackedRun], depth: int, numbers: Sequence[str] | None) -> list[str]:
    if not runs:
        raise ValueError("a pool needs at least one run")
    if depth < 1:
        raise ValueError(f"the depth of a pool is at least 1, not {depth}")
    chosen = {number for run in runs for number in run.numbers} if numbers is None else set(numbers)
    if not chosen:
        raise ValueError("a pool needs at least one topic")
    return sorted(chosen, key=str.encode)


def _tops(runs: Sequence[PackedRun], depth: int, numbers: list[str]) -> tuple[Ints, Text, Ints, Ints]:
    """`(topic, docno, rank, run)` of the first rows of every run, run after run. `topic` indexes `numbers`."""
    topic_by_number = {number: t for t, number in enumerate(numbers)}
    topics, docnos, ranks = [], [], []
    for run in runs:
        code = np.fromiter((topic_by_number.get(number, -1) for number in run.numbers), np.int64, run.n_topics)
        length = np.where(code >= 0, np.minimum(np.diff(run.start), depth), 0)
        rank = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
        topics.append(np.repeat(code, length))
        docnos.append(run.docno.take(np.repeat(run.start[:-1], length) + rank))
        ranks.append(rank + 1)
    of_run = np.repeat(np.arange(len(runs)), [rank.size for rank in ranks])
    return np.concatenate(topics), Text.concat(docnos), np.concatenate(ranks), of_run


def grouped_pairs(topic: Ints, docno: Text) -> tuple[Ints, Bools]:
    """`(order, new)`: an order in which equal pairs stand together, and where in it a pair begins."""
    key = docno.key()
    order = np.lexsort((key, topic))
    new = _begins(order, topic, docno)
    alike = (topic[order][1:] == topic[order][:-1]) & (key[order][1:] == key[order][:-1])
    if (new[1:] & alike).any():  # two docnos with one key: rare enough to sort everything by its bytes instead
        rows = np.argsort(topic, kind="stable")
        order = docno.descending(rows, topic[rows])
        new = _begins(order, topic, docno)
    return order, new


def _begins(order: Ints, topic: Ints, docno: Text) -> Bools:
    new = np.ones(order.size, bool)
    new[1:] = (topic[order[1:]] != topic[order[:-1]]) | ~docno.same(order[1:], docno, order[:-1])
    return new
