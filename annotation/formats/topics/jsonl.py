"""Topics as JSON objects, one a line; BEIR's `queries.jsonl` (`_id`, `text`, `metadata`) is one kind of them."""

from collections.abc import Iterator
from typing import BinaryIO

from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.first_bytes import head_objects, is_beir, is_objects
from annotation.formats.mapped import keys_of
from annotation.formats.mapping import ColumnMapping, find_columns
from annotation.formats.objects import Json, id_of, read_objects, text_of
from annotation.formats.problems import Problems
from annotation.formats.topics.rows import COLUMNS, MEANINGS, TopicRow, checked, note_aside, whole

EMPTY: tuple[Json, ...] = (None, "", [], {})  # nothing is left aside with these
REMEMBERED = 1000  # keys, for what is said at the end


def _read(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[TopicRow]:
    aside: set[str] = set()
    for line, value in read_objects(stream, problems):
        mapping = find_columns([key for key, inner in value.items() if inner is not None], MEANINGS, columns)
        if len(aside) < REMEMBERED:
            aside |= {key for key, inner in value.items() if inner not in EMPTY} - set(mapping.column.values())
        row = _row(value, mapping, line, problems)
        if row:
            yield row
    note_aside(list(aside), "keys", problems)


def _row(value: dict[str, Json], mapping: ColumnMapping, line: int, problems: Problems) -> TopicRow | None:
    values: dict[str, str] = dict(mapping.constant)
    number = id_of(value[mapping.column["number"]]) if "number" in mapping.column else values.get("number")
    if number is None:
        problems.add(
            line, f"no topic number: a string or integer under one of {', '.join(MEANINGS[0].names[:8])} expected"
        )
        return None
    values["number"] = number
    for name in COLUMNS[1:]:
        if name in mapping.column:
            text = text_of(value[mapping.column[name]], name, line, problems)
            if text is None:
                return None
            values[name] = text
    texts = [key for key, inner in value.items() if isinstance(inner, str) and key != mapping.column.get("number")]
    return checked(values, line, problems, others=[] if mapping.has("title") else texts)


def _columns(head: bytes) -> list[tuple[str, str]]:
    keys = keys_of(head_objects(head))
    return find_columns(keys, MEANINGS, {}).meanings_of(keys)


def _is_plain(head: bytes) -> bool:
    return is_objects(head) and not is_beir(head)


FORMAT: FileFormat[Iterator[TopicRow]] = FileFormat(
    "jsonl", "JSONL, a topic a line", _is_plain, whole(_read), _columns, mapped=True, upload_help="JSONL"
)
BEIR: FileFormat[Iterator[TopicRow]] = FileFormat(
    "beir", "BEIR queries.jsonl", is_beir, whole(_read), _columns, mapped=True, upload_help="BEIR queries.jsonl"
)
