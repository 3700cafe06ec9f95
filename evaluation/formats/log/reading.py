"""A log of any size, opened once and read as often as wanted: CSV, TSV, JSONL or Parquet, told by its first bytes.

CSV and TSV have a header; a row is one line. Gzip is recognised. Values are checked as they are
read: whatever is wrong is a problem by file, line and reason, in Parquet by row. Memory holds one
block at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from annotation.formats.fields import shown
from annotation.formats.file_formats import head_of
from annotation.formats.first_bytes import head_objects, is_array, is_objects
from annotation.formats.lines import RETURN
from annotation.formats.problems import Problems
from annotation.formats.tables import MOST_COLUMNS, header_of
from evaluation.formats.log.columns import MOST_FAULTS, Block, Columns, is_neither, missing_columns, typed
from evaluation.formats.log.lines import (
    TAB,
    decoded_lines,
    delimited_rows,
    first_object_fault,
    line_blocks,
    object_rows,
)
from evaluation.formats.parquet_batches import parquet_batches, parquet_kinds

if TYPE_CHECKING:
    import polars

ROWS = 500_000  # of a block of Parquet
PARQUET = b"PAR1"


@dataclass(frozen=True)
class Log:
    """`names` are its columns; of JSONL the keys of its first hundred objects. `form`: csv, tsv, jsonl, parquet.
    `nested`: those of the columns that hold objects, lists or spans of time; `truths`: truth values, which only
    Parquet has."""

    path: Path
    title: str
    form: str
    names: tuple[str, ...]
    delimiter: str = field(default=",", repr=False)
    nested: frozenset[str] = frozenset()
    truths: frozenset[str] = frozenset()

    def blocks(self, columns: Columns, problems: Problems) -> Iterator[Block]:
        """The rows, block after block, with the wanted columns alone.

        Faults are added to `problems` and their blocks left out; at the end, or after a thousand of them, `FormatError`
        is raised. Raises it at once where a wanted column is not there.
        """
        if absent := missing_columns(self.names, columns):
            there = ", ".join(map(shown, self.names[:20]))
            raise problems.stop(1, f"there is no column {shown(absent[0])}; there are {there}")
        wanted = {name: column for name, column in columns.items() if name in self.names or self.form == "jsonl"}
        for lines, raw in self._raw(list(wanted), problems):
            frame, faults = typed(raw, wanted)
            for row, reason in faults:
                problems.add(lines[row], reason)
            if problems.total >= MOST_FAULTS:
                raise problems.stop(0, f"{problems.total} problems; the rest was not read")
            if not problems:
                yield Block(lines, frame)
        problems.check()

    def _raw(self, wanted: list[str], problems: Problems) -> "Iterator[tuple[Sequence[int], polars.DataFrame]]":
        if self.form == "parquet":
            yield from _parquet_rows(self.path, wanted, problems)
            return
        with self.path.open("rb") as stream:
            skipped = self.form == "jsonl"
            for first, block in line_blocks(stream, problems):
                line, text = (first, block) if skipped else _behind_header(first, block)
                skipped = skipped or bool(text)
                if not text:
                    continue
                if self.form == "jsonl":
                    yield object_rows(line, text, wanted, problems)
                else:
                    lines, frame = delimited_rows(line, text, self.names, self.delimiter, problems)
                    yield lines, frame.select(wanted)


def open_log(path: Path, problems: Problems) -> Log:
    """What the file is and which columns it has. Raises `FormatError` for what is no log, `OSError` as `open` does."""
    with path.open("rb") as stream:
        if stream.read(len(PARQUET)) == PARQUET:
            kinds = parquet_kinds(path, problems)
            nested = frozenset(name for name, kind in kinds.items() if is_neither(kind))
            truths = frozenset(name for name, kind in kinds.items() if str(kind) == "Boolean")
            return Log(path, problems.file, "parquet", tuple(kinds), nested=nested, truths=truths)
        stream.seek(0)
        head = head_of(stream, problems)
    if not head.strip():
        raise problems.stop(0, "there is nothing in this file")
    if is_array(head):
        raise problems.stop(1, "a JSON array; write one object a line (JSONL)")
    if is_objects(head):
        objects = head_objects(head)
        if not objects:
            first_object_fault(head, problems)
        names = dict.fromkeys(name for value in objects for name in value)
        odd = (name for value in objects for name, each in value.items() if isinstance(each, dict | list))
        return Log(path, problems.file, "jsonl", tuple(names), nested=frozenset(odd))
    delimiter, names_of_header = _header(head, problems)
    return Log(path, problems.file, "tsv" if delimiter == TAB else "csv", tuple(names_of_header), delimiter)


def _header(head: bytes, problems: Problems) -> tuple[str, list[str]]:
    """The first line that is not blank."""
    before, first = 0, b""
    for before, first in enumerate(head.split(b"\n"), 1):  # noqa: B007 -- both are used behind the loop
        if first.strip():
            break
    list(decoded_lines(before, first, problems))
    problems.check()
    if b"\0" in first:
        raise problems.stop(before, "the header holds a NUL character: this is no text")
    if b"\r" in first.removesuffix(b"\r"):
        raise problems.stop(before, RETURN)
    delimiter, names = header_of(first)
    if not names or not all(names):
        raise problems.stop(before, "the header has a column without a name")
    if len(names) > MOST_COLUMNS:
        raise problems.stop(before, f"{len(names)} columns, at most {MOST_COLUMNS} are read")
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise problems.stop(before, f"the column {shown(twice)} stands twice in the header")
    return delimiter or TAB, names


def _behind_header(line: int, block: bytes) -> tuple[int, bytes]:
    """The block without its header and blank lines before; `(line, b"")` where it has nothing more."""
    while block:
        first, _, block = block.partition(b"\n")
        line += 1
        if first.strip():
            break
    return line, block


def _parquet_rows(
    path: Path, wanted: list[str], problems: Problems
) -> "Iterator[tuple[Sequence[int], polars.DataFrame]]":
    row = 1
    for frame in parquet_batches(path, wanted, ROWS, problems):
        yield range(row, row + frame.height), frame
        row += frame.height
