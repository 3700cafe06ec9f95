"""Rows of a table or of JSON objects as cells by meaning: what every format with named columns is read into."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from types import MappingProxyType
from typing import BinaryIO, TypeAlias, cast

from annotation.formats.fields import shown
from annotation.formats.file_formats import Columns
from annotation.formats.first_bytes import LOOKED_AT, head_lines, head_objects, is_json
from annotation.formats.mapping import (
    Among,
    ColumnMapping,
    Meaning,
    find_columns,
    find_columns_among,
    refuse_missing,
    refuse_unknown,
)
from annotation.formats.objects import Json, ObjectsInBulk
from annotation.formats.problems import Problems
from annotation.formats.tables import TableInBulk, header_of, read_table

Cells: TypeAlias = Mapping[str, str]  # the text of a row by meaning
MOST_KEYS = 300  # among which late ones are looked for
NOWHERE: Mapping[str, Among] = MappingProxyType({})
Objects: TypeAlias = Iterable[tuple[int, dict[str, Json]]]


def require_columns(
    file_columns: Sequence[str],
    meanings: Sequence[Meaning],
    columns: Columns,
    problems: Problems,
    among: Mapping[str, Among] = NOWHERE,
) -> ColumnMapping:
    """Where each meaning stands among the columns of a file; raises `FormatError` where one that is needed does not."""
    before = problems.total
    refuse_unknown(file_columns, meanings, columns, problems)
    mapping = find_columns_among(file_columns, meanings, columns, among)
    if problems.total == before:
        refuse_missing(file_columns, mapping.missing(meanings), problems, among)
    if problems.total > before:
        problems.check()
    return mapping


def rows_of_table(
    stream: BinaryIO,
    problems: Problems,
    columns: Columns,
    meanings: Sequence[Meaning],
    *,
    delimiters: str,
    among: Mapping[str, Among] = NOWHERE,
    bulk: TableInBulk | None = None,
) -> Iterator[tuple[int, Cells]]:
    """`(line, cells)` of each row of a table with a header, but those that `bulk` takes, in the order of `meanings`."""
    header, rows = read_table(stream, problems, delimiters=delimiters, bulk=bulk)
    mapping = require_columns(header, meanings, columns, problems, among)
    at = [(meaning, header.index(column)) for meaning, column in mapping.column.items()]
    if bulk and len(at) == len(meanings):
        bulk.at = [header.index(mapping.column[meaning.name]) for meaning in meanings]
    for line, cells in rows:
        yield line, {**mapping.constant, **{meaning: cells[i] for meaning, i in at}}


def rows_of_objects(
    objects: Objects,
    problems: Problems,
    columns: Columns,
    meanings: Sequence[Meaning],
    *,
    among: Mapping[str, Among] = NOWHERE,
    bulk: ObjectsInBulk | None = None,
) -> Iterator[tuple[int, Cells]]:
    """`(line, cells)` of each object, but those that `bulk` takes, in the order of `meanings`.

    The first objects show which keys there are, and have all that is needed; what only later ones have besides, a
    comment perhaps, is taken from where it is met, and noted.
    """
    first, objects = peeked(objects)
    if not first:
        return
    keys = dict.fromkeys(keys_of(value for _, value in first))
    mapping = require_columns(list(keys), meanings, columns, problems, among)
    key = dict(mapping.column)
    if bulk and len(key) == len(meanings):
        bulk.keys = [key[meaning.name] for meaning in meanings]
    for line, value in objects:
        if len(keys) + len(value) <= MOST_KEYS and not value.keys() <= keys.keys():
            keys |= dict.fromkeys(value)
            _add_late_keys(key, mapping, find_columns_among(list(keys), meanings, columns, among), line, problems)
        texts = [text_of_cell(value.get(name)) for name in key.values()]
        if None in texts:
            problems.add(line, f"the {list(key)[texts.index(None)]} is neither a text nor a number")
        else:
            yield line, {**mapping.constant, **dict(zip(key, cast("list[str]", texts), strict=True))}


def _add_late_keys(
    key: dict[str, str], mapping: ColumnMapping, extended: ColumnMapping, line: int, problems: Problems
) -> None:
    for meaning, name in extended.column.items():
        if not mapping.has(meaning) and meaning not in key and name not in key.values():
            key[meaning] = name
            problems.note(line, f"the {meaning} first stands here, under {shown(name)}")


def peeked(objects: Objects) -> tuple[list[tuple[int, dict[str, Json]]], Objects]:
    """`(the first objects, all of them)`."""
    rest = iter(objects)
    first = list(islice(rest, LOOKED_AT))
    return first, chain(first, rest)


def keys_of(objects: Iterable[Mapping[str, Json]]) -> list[str]:
    """Every key once, in the order in which they are met."""
    return list(dict.fromkeys(key for value in objects for key in value))


def text_of_cell(value: Json) -> str | None:
    """A value as a cell: JSON knows one kind of number, so 1.0 is `1`. None for arrays and objects."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value) if isinstance(value, (int, float)) else None


def header_in(head: bytes) -> tuple[str, list[str]]:
    """`(delimiter, columns)` of the first line; no delimiter where it has none."""
    lines = [] if is_json(head) else head_lines(head, comments=False)
    return header_of(lines[0]) if lines else ("", [])


def has_header(head: bytes, meanings: Sequence[Meaning], least: Iterable[str]) -> bool:
    """Whether the first line is a header in which at least these meanings are recognised."""
    delimiter, header = header_in(head)
    mapping = find_columns(header, meanings, {})
    return bool(delimiter) and all(mapping.has(name) for name in least)


def columns_of_table(
    head: bytes, meanings: Sequence[Meaning], among: Mapping[str, Among] = NOWHERE
) -> list[tuple[str, str]]:
    header = header_in(head)[1]
    return find_columns_among(header, meanings, {}, among).meanings_of(header)


def columns_of_objects(head: bytes, meanings: Sequence[Meaning]) -> list[tuple[str, str]]:
    return columns_of_cells(head_objects(head), meanings)


def columns_of_cells(
    rows: Iterable[Mapping[str, Json]], meanings: Sequence[Meaning], among: Mapping[str, Among] = NOWHERE
) -> list[tuple[str, str]]:
    """Of rows that a format makes out of its objects."""
    file_columns = keys_of(rows)
    return find_columns_among(file_columns, meanings, {}, among).meanings_of(file_columns)
