"""The k best of each query from the runs of parts: the same bytes as one search of everything.

A score does not depend on what else is searched, and score, then docno is a total order: so merging
may go by any tree.
"""

import hashlib
from collections.abc import Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path

import numpy as np

from evaluation.engine.arrays import Ints
from evaluation.engine.run import PackedRun, RunPart, RunTable, load_run, pack_run
from evaluation.formats.shards.store import Buffer, Store
from evaluation.formats.shards.work import RESULT

WIDTH = 16  # runs merged at a time
ROWS = 1 << 20  # of all runs together, merged in one go


def merged(runs: Sequence[PackedRun], k: int, tag: str) -> RunTable:
    """Runs of the same queries over different documents; rows are in evaluated order.

    Raises `ValueError` for a document that two runs have for one query.
    """
    numbers = tuple(sorted({number for run in runs for number in run.numbers}, key=str.encode))
    topic_by_number = {number: at for at, number in enumerate(numbers)}
    topics = [np.array([topic_by_number[number] for number in run.numbers], np.int64) for run in runs]
    step = max(1, ROWS * len(numbers) // max(1, sum(run.n_rows for run in runs)))
    cuts = [(a, min(a + step, len(numbers))) for a in range(0, len(numbers), step)]
    return RunTable(tag, numbers, tuple(_best(runs, topics, numbers, cut, k) for cut in cuts))


def _best(
    runs: Sequence[PackedRun], topics: Sequence[Ints], numbers: tuple[str, ...], cut: tuple[int, int], k: int
) -> RunPart:
    """Of the queries from the one of `cut` to the other; `topics` says which query each topic of a run is."""
    a, b = cut
    parts = [_rows(run, topic, a, b) for run, topic in zip(runs, topics, strict=True)]
    table = RunTable("", numbers[a:b], tuple(parts))
    for _, second in table.repeats()[:1]:
        raise ValueError(f"the document {table.docno[second]!r} is in two parts of the corpus")
    packed = table.packed
    n_rows = np.diff(packed.start)
    column = np.arange(packed.n_rows) - np.repeat(packed.start[:-1], n_rows)
    row = np.flatnonzero(column < k)
    group = np.arange(a, b, dtype=np.int32)
    return RunPart(group, np.minimum(n_rows, k), packed.docno.take(row), packed.score[row])


def _rows(run: PackedRun, topic: Ints, a: int, b: int) -> RunPart:
    """What the run has of the queries from a to b, which count from 0 there."""
    first, last = np.searchsorted(topic, [a, b]).tolist()
    begin, end = int(run.start[first]), int(run.start[last])
    length = np.diff(run.start[first : last + 1])
    return RunPart((topic[first:last] - a).astype(np.int32), length, run.docno.part(begin, end), run.score[begin:end])


def merge_results(work: tuple[str, tuple[str, ...], int]) -> str:
    """`(results, keys, k)`: the key of their merged run, which lies beside them; nothing is done twice."""
    url, keys, k = work
    if len(keys) == 1:
        return keys[0]
    results = Store(url)
    key = hashlib.sha256(f"merged {k} {' '.join(sorted(keys))}".encode()).hexdigest()
    if not results.has(key + RESULT):
        names = [one + RESULT for one in keys]
        with results.local(names) as folder:
            runs = [_loaded(results, folder, name) for name in names]
            results.write_result(key + RESULT, pack_run(merged(runs, k, runs[0].tag)))
    return key


def _loaded(results: Store, folder: Path, name: str) -> PackedRun:
    """Mapped."""
    with (folder / name).open("rb") as file:
        try:
            data: Buffer = mmap(file.fileno(), 0, access=ACCESS_READ)
        except ValueError:  # there is nothing in it
            data = b""
    return load_run(results.whole(name, data))


def groups(keys: Sequence[str]) -> list[tuple[str, ...]]:
    """Keys in their order, `WIDTH` at a time."""
    return [tuple(keys[a : a + WIDTH]) for a in range(0, len(keys), WIDTH)]
