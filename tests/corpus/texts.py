"""What must hold for any bytes at all that are read as topics or documents. Tests and fuzzers feed it.

1. Nothing but `FormatError` comes out, in the form that is recognised and in any other.
2. Packed with gzip the bytes are read as they are without.
3. A row has an id that can go into a TREC file, each once; HTML is sanitised.
"""

import gzip
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO, TypeVar

from annotation.formats import documents, topics
from annotation.formats.documents import DocumentRow
from annotation.formats.fields import id_fault
from annotation.formats.file_formats import Columns, FileFormat, recognise_format
from annotation.formats.problems import FormatError, Problems
from annotation.formats.topics import TopicRow
from annotation.text.sanitise import sanitise

Row = TypeVar("Row")
COLUMNS: Sequence[Columns] = ({}, {"number": "id", "docno": "id", "title": "=t", "text": "2nd"})


@dataclass(frozen=True)
class Read:
    """Rows, and faults and notes as `file:line: reason`."""

    rows: tuple[object, ...]
    faults: tuple[str, ...]
    notes: tuple[str, ...]


def check_topics(data: bytes) -> None:
    """Raises `AssertionError`, or whatever else comes out that is not `FormatError`."""
    for read in _readings(topics.FORMATS, data):
        rows = [row for row in read.rows if isinstance(row, TopicRow)]
        _check_ids([row.number for row in rows])
        assert all(row.title for row in rows)


def check_documents(data: bytes) -> None:
    """Raises `AssertionError`, or whatever else comes out that is not `FormatError`."""
    for read in _readings(documents.FORMATS, data):
        rows = [row for row in read.rows if isinstance(row, DocumentRow)]
        _check_ids([row.docno for row in rows])
        assert all(sanitise(row.text) == row.text for row in rows if row.form == "html")
        assert all("\0" not in "".join([row.title, row.text, *row.fields.values()]) for row in rows)


def read_topics(
    stream: BinaryIO, problems: Problems, *, name: str = "", columns: Columns = COLUMNS[0]
) -> Iterator[TopicRow]:
    """In the format of this name, else in the one that the content shows."""
    file_format, _ = recognise_format(topics.FORMATS, stream, problems, name=name)
    return file_format.read(stream, problems, columns)


def read_documents(
    stream: BinaryIO, problems: Problems, *, name: str = "", columns: Columns = COLUMNS[0]
) -> Iterator[DocumentRow]:
    """As `read_topics`."""
    file_format, _ = recognise_format(documents.FORMATS, stream, problems, name=name)
    return file_format.read(stream, problems, columns)


def read_whole(formats: Sequence[FileFormat[Iterator[Row]]], data: bytes, file: str = "a") -> Read:
    """As the form that the content shows."""
    return _read(formats, data, "", {}, file)


def _readings(formats: Sequence[FileFormat[Iterator[Row]]], data: bytes) -> Iterator[Read]:
    whole = read_whole(formats, data)
    assert whole.rows or whole.faults
    if not data.startswith(b"\x1f\x8b"):
        assert read_whole(formats, gzip.compress(data, mtime=0)) == whole
    for file_format in formats:
        file_format.columns(data)
    yield whole
    yield from chain.from_iterable(
        (_read(formats, data, file_format.name, columns, "a") for columns in COLUMNS) for file_format in formats
    )


def _read(
    formats: Sequence[FileFormat[Iterator[Row]]], data: bytes, name: str, columns: Mapping[str, str], file: str
) -> Read:
    problems = Problems(file, keep=len(data) + 10)
    rows: list[Row] = []
    stream = io.BytesIO(data)
    try:
        file_format, _ = recognise_format(formats, stream, problems, name=name)
        rows += file_format.read(stream, problems, columns)
    except FormatError:
        assert problems
    return Read(tuple(rows), tuple(map(str, problems)), tuple(map(str, problems.notes)))


def _check_ids(ids: list[str]) -> None:
    assert [name for name in ids if id_fault(name, "id")] == []
    assert len(set(ids)) == len(ids)
