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
