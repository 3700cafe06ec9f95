"""Runs → TREC and JSONL, streamed.

Topics are in byte order, and the rows of a topic by descending score with ranks from 1. Rows of
equal scores stand as in the file they came from: a run that was sorted by score comes back with its
rows in their own order, and is the same to the byte when it is read again. A score is the shortest
text that reads back as the same float64.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.run import PackedRun

PIECE = 10_000  # rows handed on at a time


@dataclass(frozen=True)
class _Rows:
    """Some of the rows of a topic, in order. `rank` is that of the first."""

    number: str
    rank: int
    docnos: list[str]
    scores: list[float]


def run_trec(run: PackedRun) -> Iterator[bytes]:
    """`number Q0 docno rank score tag`. A number that starts with `#` gets a blank in front: it is no comment."""
    tag = run.tag.encode()
    for rows in _pieces(run):
        number = (" " * rows.number.startswith("#") + rows.number).encode()
        each = enumerate(zip(rows.docnos, rows.scores, strict=True), rows.rank)
        yield b"".join(b"%b Q0 %b %d %r %b\n" % (number, d.encode(), rank, score, tag) for rank, (d, score) in each)


def run_jsonl(run: PackedRun) -> Iterator[bytes]:
    """An object a row: number, docno, rank, score, tag; UTF-8."""
    write = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
    for rows in _pieces(run):
        each = enumerate(zip(rows.docnos, rows.scores, strict=True), rows.rank)
        lines = (
            write({"number": rows.number, "docno": docno, "rank": rank, "score": score, "tag": run.tag})
            for rank, (docno, score) in each
        )
        yield "".join(f"{line}\n" for line in lines).encode()


def _pieces(run: PackedRun) -> Iterator[_Rows]:
    tied = 0
    for t, number in enumerate(run.numbers):
        a, b = int(run.start[t]), int(run.start[t + 1])
        score = run.score[a:b]
        order, n_tied = _as_in_file(score, run.place[tied:])
        tied += n_tied
        for first in range(0, b - a, PIECE):
            row = order[first : first + PIECE]
            yield _Rows(number, first + 1, list(run.docno.take(a + row)), score[row].tolist())


def _as_in_file(score: Floats, place: NDArray[np.int32]) -> tuple[Ints, int]:
    """`(order, n_tied)`: the rows of a topic with descending scores, tied ones by their place in the file.

    `place` begins with that of the topic's tied rows.
    """
    same = score[1:] == score[:-1]
    as_before, as_after = np.append(False, same), np.append(same, False)
    tied = np.flatnonzero(as_before | as_after)
    group = np.cumsum(~as_before[tied])
    order = np.arange(score.size)
    order[tied] = tied[np.lexsort((place[: tied.size], group))]
    return order, tied.size
