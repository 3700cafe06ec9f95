"""Rows at one moment, and back from JSON lines, by the models as they were at the migrations the database has."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.loader import MigrationLoader

from touchstone.backups.manifest import BackupError

CHUNK = 1000

Model = type[models.Model]
Fields = Sequence["models.Field[Any, Any]"]


@contextmanager
def snapshot() -> Iterator[None]:
    """Everything read inside is of one moment. Whoever writes meanwhile is neither waited for nor held up."""
    if connection.vendor == "postgresql":
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")  # atomic() would begin by taking the lock of writers
        try:
            cursor.execute("SELECT count(*) FROM sqlite_master")  # the moment is that of the first read
            yield
        finally:
            cursor.execute("ROLLBACK")


def applied_migrations() -> list[tuple[str, str]]:
    """Of the apps that are installed. Raises `BackupError` for one that this version does not know."""
    loader = MigrationLoader(connection)
    ours = [key for key in loader.applied_migrations if key[0] in loader.migrated_apps]
    require_known(ours)
    return sorted(ours)


def require_known(migrations: Iterable[tuple[str, str]]) -> None:
    nodes = MigrationLoader(connection).graph.nodes.keys()
    unknown = sorted(key for key in migrations if key not in nodes)
    if unknown:
        raise BackupError(
            f"Migration {'.'.join(unknown[0])} is unknown here: it is of a newer Touchstone. Upgrade this one first."
        )


def last_of_each_app(migrations: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those that no other of the same app builds on: where to migrate to, to have them all."""
    nodes, chosen = MigrationLoader(connection).graph.node_map, set(migrations)
    return sorted(
        key
        for key in chosen
        if not any(child.key in chosen and child.key[0] == key[0] for child in nodes[key].children)
    )


def tables_at(migrations: Iterable[tuple[str, str]]) -> dict[str, Model]:
    """The models of that state by the names of their tables, those of many-to-many relations included."""
    state = MigrationLoader(connection).project_state(list(migrations))
    every = state.apps.get_models(include_auto_created=True)
    return {model._meta.db_table: model for model in every if model._meta.managed and not model._meta.proxy}  # noqa: SLF001 -- Django's own way in


def fields_of(model: Model) -> Fields:
    return [field for field in model._meta.local_concrete_fields if not field.generated]  # noqa: SLF001 -- likewise


def columns_of(model: Model) -> tuple[str, ...]:
    return tuple(str(field.column) for field in fields_of(model))


def load(model: Model, columns: Sequence[str], lines: Iterable[bytes]) -> None:
    """Insert the rows, with their keys. Inside a transaction: what refers to what is checked when it ends."""
    by_column = {field.column: field for field in fields_of(model)}
    fields = [by_column[column] for column in columns]
    quote = connection.ops.quote_name
    names, placeholders = ", ".join(map(quote, columns)), ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({placeholders})"  # noqa: S608, SLF001 -- names of models, never of the file
    rows = (_row(fields, line) for line in lines)
    with connection.cursor() as cursor:
        while chunk := list(islice(rows, CHUNK)):
            cursor.executemany(statement, chunk)


def empty(model: Model) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")  # noqa: S608, SLF001 -- the name of a model's table


def set_sequences(filled: Iterable[Model]) -> None:
    """Let new keys follow those that were inserted."""
    statements = connection.ops.sequence_reset_sql(no_style(), list(filled))
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _row(fields: Fields, line: bytes) -> list[Any]:
    values = json.loads(line)
    if not isinstance(values, list) or len(values) != len(fields):
        raise BackupError("A row of this backup has another number of columns than its table.")
    pairs = zip(fields, values, strict=True)
    return [field.get_db_prep_save(field.to_python(value), connection) for field, value in pairs]
