"""Bulk inserts of an import, portion by portion in fenced transactions, so that judging never waits."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from django.db import connection, transaction
from django.db.models import Model

from annotation.kernel.jobs import JobRun

PORTION = 2000

Row = TypeVar("Row")

Values = tuple[Any, ...]  # as the database wants them


class Alike:
    """Inserts rows that differ from `sample` only in the columns `differing`, in this order.

    The other values are prepared for the database once. For the hundred thousand rows of a large file this takes a
    tenth of the time of `bulk_create`.
    """

    def __init__(self, sample: Model, differing: Sequence[str]) -> None:
        meta = sample._meta  # noqa: SLF001 -- public, for all its underscore
        fields = {field.attname: field for field in meta.concrete_fields if not field.primary_key}
        shared = [name for name in fields if name not in differing]
        self._shared = tuple(fields[name].get_db_prep_save(getattr(sample, name), connection) for name in shared)
        columns = [connection.ops.quote_name(str(fields[name].column)) for name in (*differing, *shared)]
        table, placeholders = connection.ops.quote_name(meta.db_table), ", ".join(["%s"] * len(columns))
        self._sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({placeholders})"  # noqa: S608 -- names of our own

    def insert(self, rows: Iterable[Values]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany(self._sql, [row + self._shared for row in rows])


def insert(rows: Sequence[Model]) -> None:
    """Insert unsaved rows of one model and give them their primary keys: on PostgreSQL by COPY."""
    if not rows:
        return
    if connection.vendor == "postgresql":
        _copy(rows)
    else:
        type(rows[0])._default_manager.bulk_create(rows, batch_size=PORTION)  # noqa: SLF001 -- as above


def _copy(rows: Sequence[Model]) -> None:
    meta, quote = rows[0]._meta, connection.ops.quote_name  # noqa: SLF001 -- as above
    assert meta.pk is not None
    table, columns = quote(meta.db_table), ", ".join(quote(str(field.column)) for field in meta.concrete_fields)
    sequence = "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)"
    with connection.cursor() as cursor:
        cursor.execute(sequence, [table, meta.pk.column, len(rows)])
        for row, (key,) in zip(rows, cursor.fetchall(), strict=True):
            row.pk = key
        with connection.wrap_database_errors, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
            for row in rows:
                values = (field.pre_save(row, add=True) for field in meta.concrete_fields)
                copy.write_row(
                    [
                        field.get_db_prep_save(value, connection)
                        for field, value in zip(meta.concrete_fields, values, strict=True)
                    ]
                )


def tell_planner(*models: type[Model]) -> None:
    """Tell the database that the tables have grown: planned for the few rows of before, queries would take minutes."""
    tables = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in models)  # noqa: SLF001 -- as above
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {tables}")


def write(into: Alike, rows: Iterable[Values], *, run: JobRun) -> None:
    """All of them, portion by portion, in their order."""
    for portion in portions(rows):
        with transaction.atomic():
            run.fence()
            into.insert(portion)


def portions(rows: Iterable[Row], size: int = PORTION) -> Iterator[list[Row]]:
    walk = iter(rows)
    while portion := list(islice(walk, size)):
        yield portion
