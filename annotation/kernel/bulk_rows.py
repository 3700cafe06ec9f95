"""Bulk inserts of an import, portion by portion in fenced transactions, so that judging never waits."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from typing import Any, Self, TypeVar

from django.db import connection, connections, transaction
from django.db.models import Model

from annotation.kernel.jobs import JobRun

PORTION = 2000
LONGEST_WAIT = 20  # seconds, for a lock, of the second connection

Row = TypeVar("Row")

Values = tuple[Any, ...]  # as the database wants them


class Alike:
    """Inserts rows that differ from `sample` only in the columns `differing`, in this order.

    The other values are prepared for the database once, and PostgreSQL gets the rows by COPY. For the hundred thousand
    rows of a large file this takes a tenth of the time of `bulk_create`. The primary key is the database's, unless it
    is among `differing`.
    """

    def __init__(self, sample: Model, differing: Sequence[str]) -> None:
        meta = sample._meta  # noqa: SLF001 -- public, for all its underscore
        fields = {field.attname: field for field in meta.concrete_fields}
        fields = {name: field for name, field in fields.items() if not field.primary_key or name in differing}
        shared = [name for name in fields if name not in differing]
        self._shared = tuple(fields[name].get_db_prep_save(getattr(sample, name), connection) for name in shared)
        columns = [connection.ops.quote_name(str(fields[name].column)) for name in (*differing, *shared)]
        table, placeholders = connection.ops.quote_name(meta.db_table), ", ".join(["%s"] * len(columns))
        self._copy = f"COPY {table} ({', '.join(columns)}) FROM STDIN"
        self._sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({placeholders})"  # noqa: S608 -- names of our own

    def insert(self, rows: Iterable[Values]) -> None:
        with connection.cursor() as cursor:
            if connection.vendor != "postgresql":
                cursor.executemany(self._sql, [row + self._shared for row in rows])
                return
            with connection.wrap_database_errors, cursor.copy(self._copy) as copy:
                for row in rows:
                    copy.write_row(row + self._shared)


class SecondConnection:
    """Writes rows while this thread's connection writes others, in a thread of its own.

    On SQLite, which has one writer, and within a transaction, which another connection cannot look into, there is none:
    then one comes after the other.
    """

    def __init__(self) -> None:
        is_possible = connection.vendor == "postgresql" and not connection.in_atomic_block
        self._thread = ThreadPoolExecutor(1) if is_possible else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is not None:
            self._thread.submit(connections.close_all).result()
            self._thread.shutdown()

    @contextmanager
    def doing(self, step: Callable[[], object]) -> Iterator[None]:
        """`step` in a transaction of its own, committed when the block ends. The block stands in a transaction, all of
        it: its locks are held for `step` too, and its constraints are checked meanwhile."""
        if self._thread is None:
            step()
            yield
            return
        done = self._thread.submit(_in_transaction, step)
        try:
            yield
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        finally:
            wait([done])
        done.result()


def _in_transaction(step: Callable[[], object]) -> None:
    """It waits for a lock only so long: for one that is behind the locks of the thread that waits for it, which the
    database cannot know, it would wait for ever."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{LONGEST_WAIT}s'")
        step()


def new_keys(model: type[Model], n: int) -> list[int]:
    """Primary keys for so many rows, ascending. Call it in the transaction that inserts them."""
    meta = model._meta  # noqa: SLF001 -- as above
    assert meta.pk is not None
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            sequence = "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)"
            cursor.execute(sequence, [connection.ops.quote_name(meta.db_table), meta.pk.column, n])
            return [key for (key,) in cursor.fetchall()]
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [meta.db_table])
        last = cursor.fetchone()
        first = 1 + (last[0] if last else 0)
        return list(range(first, first + n))


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
    for row, key in zip(rows, new_keys(type(rows[0]), len(rows)), strict=True):
        row.pk = key
    sql = f"COPY {table} ({columns}) FROM STDIN"
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(sql) as copy:
        for row in rows:
            values = (field.pre_save(row, add=True) for field in meta.concrete_fields)
            pairs = zip(meta.concrete_fields, values, strict=True)
            copy.write_row([field.get_db_prep_save(value, connection) for field, value in pairs])


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
