"""Rows of Parquet, decoded in a process of their own.

A single wrong byte can make polars ask for more memory than there is, which ends the process
without an error that anybody could catch. So another process reads the file, and its end, too, is a
problem of the file, unless it was ended from outside. What comes from it is Arrow IPC, which polars
wrote itself.
"""

import errno
import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from annotation.formats.problems import Problems
from evaluation.formats import parquet_process
from evaluation.formats.parquet_process import END, ERROR, FRAME, LENGTH

if TYPE_CHECKING:
    import polars

UNREADABLE = "not a Parquet file that can be read: "
DAMAGED = "it is damaged, or needs more memory than it may use"
FROM_OUTSIDE = {-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT}  # the first of the system, too, when memory runs out


def parquet_kinds(path: Path, problems: Problems) -> "dict[str, polars.DataType]":
    """The columns and their types. Raises `FormatError` for what is no Parquet, `OSError` as `parquet_batches` does."""
    return dict(next(_frames(path, 1, (), problems)).schema)


def parquet_batches(path: Path, columns: Sequence[str], rows: int, problems: Problems) -> "Iterator[polars.DataFrame]":
    """`columns` alone, in their order, some `rows` at a time.

    Raises `FormatError` where the file cannot be decoded, `OSError` where its decoder was ended from outside.
    """
    frames = _frames(path, rows, columns, problems)
    next(frames)  # of the types
    yield from frames


def _frames(path: Path, rows: int, columns: Sequence[str], problems: Problems) -> "Iterator[polars.DataFrame]":
    """Loads polars, which takes a fifth of a second the first time."""
    words = [sys.executable, "-P", parquet_process.__file__, str(path.absolute()), str(rows), json.dumps(list(columns))]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            for content in _pieces(process, problems):
                yield _frame(content, problems)
        finally:
            process.kill()


def _frame(content: bytes, problems: Problems) -> "polars.DataFrame":
    """Raises `FormatError` for types that polars writes and does not read again, as arrays of width 0."""
    import polars as pl  # noqa: PLC0415 -- a web process does not load it at its start

    try:
        return pl.read_ipc(content)
    except pl.exceptions.PolarsError as fault:
        raise problems.stop(0, UNREADABLE + next(iter(str(fault).splitlines()), DAMAGED)) from None


def _pieces(process: "subprocess.Popen[bytes]", problems: Problems) -> Iterator[bytes]:
    stream = process.stdout
    assert stream
    while True:
        head = stream.read(1 + LENGTH)
        kind, length = head[:1], int.from_bytes(head[1:], "little")
        content = stream.read(length) if kind in (FRAME, ERROR) else b""
        if kind == END:
            return
        if kind == ERROR:
            raise problems.stop(0, UNREADABLE + next(iter(content.decode().splitlines()), DAMAGED))
        if kind != FRAME or len(content) < length:
            stream.close()
            raise _ended(process.wait(), problems)
        yield content


def _ended(status: int, problems: Problems) -> Exception:
    """Of a decoder that ended before it had said so."""
    if status in FROM_OUTSIDE:
        reason = f"its decoder was ended by {signal.Signals(-status).name}"
        return ChildProcessError(errno.ECHILD, reason, problems.file)
    return problems.stop(0, UNREADABLE + DAMAGED)
