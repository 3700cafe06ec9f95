"""Rows as JSON lines. The database writes the line of each row itself where every column is of a
kind that it writes as Python reads it: a row takes a tenth of the time that Django's values and
Python's JSON take.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import connection
from psycopg.generators import copy_from

from touchstone.backups.tables import Fields, Model, fields_of

if TYPE_CHECKING:
    from psycopg.abc import PQGen
    from psycopg.pq.abc import PGconn

CHUNK = 1000  # rows
BLOCK = 1 << 17  # bytes

Lines = tuple[int, bytes | bytearray]  # how many, and they, each with its end

# By internal type, how SQLite is asked for a column; of floats it writes 15 digits, so that Python writes their tables.
_SQLITE: Mapping[str, str] = {
    **dict.fromkeys(
        ("AutoField", "BigAutoField", "BigIntegerField", "CharField", "ForeignKey", "IntegerField", "OneToOneField",
         "PositiveBigIntegerField", "PositiveIntegerField", "PositiveSmallIntegerField", "SlugField",
         "SmallIntegerField", "TextField"),
        "{0}",
    ),
    "BooleanField": "json(CASE {0} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)",
    "DateTimeField": "replace(replace({0}, '+00:00', ''), ' ', 'T') || '+00:00'",
    "JSONField": "json({0})",
}  # fmt: skip
# The same of PostgreSQL, which writes numbers itself.
_POSTGRESQL: Mapping[str, str] = {
    **dict.fromkeys(_SQLITE, "{0}"),
    **dict.fromkeys(("CharField", "DateTimeField", "SlugField", "TextField"), "to_json({0})"),
    "BooleanField": "{0}::text",
}
# Of the values of a row it makes a line with commas between them; one with a comma in it stands between marks, a sign
# that JSON has no other use for.
_MARK = b"\x01"
_COPY = r"COPY ({}) TO STDOUT (FORMAT csv, QUOTE E'\x01', DELIMITER ',', NULL 'null')"


def dumped(model: Model) -> Iterator[Lines]:
    """A line a row, a JSON array of its columns, in the order of the primary key; several lines at a time."""
    fields = fields_of(model)
    if any(field.get_internal_type() not in _SQLITE for field in fields):
        return by_python(model)
    return _copied(model, fields) if connection.vendor == "postgresql" else _selected(model, fields)


def by_python(model: Model) -> Iterator[Lines]:
    """The same, a line at a time, of any kinds of columns."""
    rows = model._base_manager.order_by("pk").values_list(*[field.attname for field in fields_of(model)])  # noqa: SLF001 -- Django's own way in
    for row in rows.iterator(chunk_size=CHUNK):
        yield 1, json.dumps(row, default=_plain, separators=(",", ":")).encode() + b"\n"


def _copied(model: Model, fields: Fields) -> Iterator[Lines]:
    """By PostgreSQL, whose session has UTC."""
    *values, last = _columns(fields, _POSTGRESQL)
    values[0], last = f"'[' || {values[0]}", f"coalesce({last}::text, 'null') || ']'"
    statement = _COPY.format(_select(model, ", ".join([*values, last])))
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as copy:
        full = True
        while full:
            n_lines, lines = copy.connection.wait(_block(copy.connection.pgconn))
            full = len(lines) >= BLOCK
            yield n_lines, lines.replace(_MARK, b"")


def _block(pgconn: "PGconn") -> "PQGen[Lines]":
    """Rows of a COPY as psycopg reads one, but many before it returns; a block that is not full is the last."""
    n_lines, lines = 0, bytearray()
    while len(lines) < BLOCK and isinstance(line := (yield from copy_from(pgconn)), memoryview):
        n_lines += 1
        lines += line
    return n_lines, lines


def _selected(model: Model, fields: Fields) -> Iterator[Lines]:
    """By SQLite."""
    with connection.cursor() as cursor:
        cursor.execute(_select(model, f"json_array({', '.join(_columns(fields, _SQLITE))})"))
        while rows := cursor.fetchmany(CHUNK):
            yield len(rows), "".join([f"{line}\n" for (line,) in rows]).encode()


def _select(model: Model, expression: str) -> str:
    meta = model._meta  # noqa: SLF001 -- likewise
    assert meta.pk is not None
    table, key = connection.ops.quote_name(meta.db_table), connection.ops.quote_name(str(meta.pk.column))
    return f"SELECT {expression} FROM {table} ORDER BY {key}"  # noqa: S608 -- names of models alone


def _columns(fields: Fields, forms: Mapping[str, str]) -> list[str]:
    quoted = [(field.get_internal_type(), connection.ops.quote_name(str(field.column))) for field in fields]
    return [forms[kind].format(name) for kind, name in quoted]


def _plain(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal | UUID):
        return str(value)
    raise TypeError(f"no form for a {type(value).__name__}")
