"""Rows of Parquet, decoded in a process of their own.

A single wrong byte can make polars ask for more memory than there is, which ends the process without an error that
anybody could catch. So another process reads the file, and its end, too, is a problem of the file. What comes from it
is Arrow IPC, which polars wrote itself.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from annotation.formats.problems import Problems
from evaluation.formats import parquet_process
from evaluation.formats.parquet_process import END, ERROR, FRAME, LENGTH

if TYPE_CHECKING:
    import polars

DAMAGED = "it is damaged"


def parquet_kinds(path: Path, problems: Problems) -> "dict[str, polars.DataType]":
    """The columns and their types. Raises `FormatError` for what is no Parquet."""
    return dict(next(_frames(path, 1, (), problems)).schema)


def parquet_batches(path: Path, columns: Sequence[str], rows: int, problems: Problems) -> "Iterator[polars.DataFrame]":
    """`columns` alone, in their order, some `rows` at a time. Raises `FormatError` where the file cannot be decoded."""
    frames = _frames(path, rows, columns, problems)
    next(frames)  # of the types
    yield from frames


def _frames(path: Path, rows: int, columns: Sequence[str], problems: Problems) -> "Iterator[polars.DataFrame]":
    """Loads polars, which takes a fifth of a second the first time."""
    import polars as pl  # noqa: PLC0415 -- a web process does not load it at its start

    words = [sys.executable, "-P", parquet_process.__file__, str(path.absolute()), str(rows), json.dumps(list(columns))]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        try:
            for content in _pieces(process.stdout, problems):
                yield pl.read_ipc(content)
        finally:
            process.kill()


def _pieces(stream: IO[bytes], problems: Problems) -> Iterator[bytes]:
    while True:
        head = stream.read(1 + LENGTH)
        kind, length = head[:1], int.from_bytes(head[1:], "little")
        content = stream.read(length) if kind in (FRAME, ERROR) else b""
        if kind == END:
            return
        if kind != FRAME or len(content) < length:
            reason = next(iter(content.decode().splitlines()), DAMAGED) if kind == ERROR else DAMAGED
            raise problems.stop(0, f"not a Parquet file that can be read: {reason}")
        yield content
