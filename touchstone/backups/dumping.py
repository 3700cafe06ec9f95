"""Rows as JSON lines. The database writes the line of each row itself where every column is of a kind that it writes as
Python reads it: a row takes a tenth of the time that Django's values and Python's JSON take.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from uuid import UUID

from django.db import connection

from touchstone.backups.tables import Fields, Model, fields_of

CHUNK = 1000  # rows

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
# The same of PostgreSQL: as Python writes them, times have six digits after the second or none.
_POSTGRESQL: Mapping[str, str] = {
    **dict.fromkeys(_SQLITE, "{0}"),
    "DateTimeField": """to_char({0}, CASE date_trunc('second', {0}) WHEN {0} THEN 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'
        ELSE 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' END)""",
}
# COPY in a form that escapes nothing: JSON has no such signs in it.
_COPY = r"COPY ({}) TO STDOUT (FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02')"


def dumped(model: Model) -> Iterator[bytes]:
    """A line a row, a JSON array of its columns, in the order of the primary key; several lines at a time."""
    fields = fields_of(model)
    if any(field.get_internal_type() not in _SQLITE for field in fields):
        return by_python(model)
    return _copied(model, fields) if connection.vendor == "postgresql" else _selected(model, fields)


def by_python(model: Model) -> Iterator[bytes]:
    """The same, a line at a time, of any kinds of columns."""
    rows = model._base_manager.order_by("pk").values_list(*[field.attname for field in fields_of(model)])  # noqa: SLF001 -- Django's own way in
    for row in rows.iterator(chunk_size=CHUNK):
        yield json.dumps(row, default=_plain, separators=(",", ":")).encode() + b"\n"


def _copied(model: Model, fields: Fields) -> Iterator[bytes]:
    """By PostgreSQL, whose session has UTC."""
    statement = _COPY.format(_select(model, f"json_build_array({_columns(fields, _POSTGRESQL)})"))
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as copy:
        rows = iter(copy)
        while lines := b"".join(islice(rows, CHUNK)):
            yield lines


def _selected(model: Model, fields: Fields) -> Iterator[bytes]:
    """By SQLite."""
    with connection.cursor() as cursor:
        cursor.execute(_select(model, f"json_array({_columns(fields, _SQLITE)})"))
        while rows := cursor.fetchmany(CHUNK):
            yield "".join([f"{line}\n" for (line,) in rows]).encode()


def _select(model: Model, expression: str) -> str:
    meta = model._meta  # noqa: SLF001 -- likewise
    assert meta.pk is not None
    table, key = connection.ops.quote_name(meta.db_table), connection.ops.quote_name(str(meta.pk.column))
    return f"SELECT {expression} FROM {table} ORDER BY {key}"  # noqa: S608 -- names of models alone


def _columns(fields: Fields, forms: Mapping[str, str]) -> str:
    quoted = [(field.get_internal_type(), connection.ops.quote_name(str(field.column))) for field in fields]
    return ", ".join(forms[kind].format(name) for kind, name in quoted)


def _plain(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal | UUID):
        return str(value)
    raise TypeError(f"no form for a {type(value).__name__}")
