"""Documents as JSON objects, one a line; BEIR's `corpus.jsonl` (`_id`, `title`, `text`, `metadata`) is one of them.

Of several keys that may mean the same the likeliest that has a value is taken. Every further key is
kept as metadata, as text; an object under `metadata` is taken apart into its own keys.
"""

from collections.abc import Iterator
from typing import BinaryIO

from annotation.formats.documents.rows import COLUMNS, DOCNO, MEANINGS, DocumentRow, checked, whole
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.first_bytes import head_objects, is_beir, is_objects
from annotation.formats.mapped import keys_of
from annotation.formats.mapping import ColumnMapping, find_columns
from annotation.formats.objects import Json, as_text, id_of, read_objects, text_of
from annotation.formats.problems import Problems

MOST_MAPPINGS = 1000  # sets of keys that are remembered


def _read(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[DocumentRow]:
    mappings: dict[tuple[str, ...], ColumnMapping] = {}
    for line, value in read_objects(stream, problems):
        keys = tuple(key for key, inner in value.items() if inner is not None)
        mapping = mappings.get(keys) or find_columns(keys, MEANINGS, columns)
        if len(mappings) < MOST_MAPPINGS:
            mappings[keys] = mapping
        row = _row(value, mapping, line, problems)
        if row:
            yield row


def _row(value: dict[str, Json], mapping: ColumnMapping, line: int, problems: Problems) -> DocumentRow | None:
    values: dict[str, str] = dict(mapping.constant)
    docno = id_of(value[mapping.column["docno"]]) if "docno" in mapping.column else values.get("docno")
    if docno is None:
        problems.add(line, f"no docno: a string or integer under one of {', '.join(DOCNO.names)} expected")
        return None
    values["docno"] = docno
    for name in COLUMNS[1:]:
        if name in mapping.column:
            text = text_of(value[mapping.column[name]], mapping.column[name], line, problems)
            if text is None:
                return None
            values[name] = text
    return checked(values, _metadata(value, set(mapping.column.values())), line, problems)


def _metadata(value: dict[str, Json], used: set[str]) -> dict[str, str]:
    further = {key: inner for key, inner in value.items() if key not in used and inner is not None}
    inside = further.get("metadata")
    if isinstance(inside, dict) and not inside.keys() & further.keys():
        del further["metadata"]
        further |= {key: inner for key, inner in inside.items() if inner is not None}
    return {key: as_text(inner) for key, inner in further.items()}


def _columns(head: bytes) -> list[tuple[str, str]]:
    keys = keys_of(head_objects(head))
    return [(key, meaning or "metadata") for key, meaning in find_columns(keys, MEANINGS, {}).meanings_of(keys)]


def _is_plain(head: bytes) -> bool:
    return is_objects(head) and not is_beir(head)


FORMAT: FileFormat[Iterator[DocumentRow]] = FileFormat(
    "jsonl",
    "JSONL, a document a line",
    _is_plain,
    whole(_read),
    _columns,
    mapped=True,
    upload_help="JSONL (an object a line with docno, title and text; further keys are kept)",
)
BEIR: FileFormat[Iterator[DocumentRow]] = FileFormat(
    "beir", "BEIR corpus.jsonl", is_beir, whole(_read), _columns, mapped=True, upload_help="BEIR corpus.jsonl"
)
