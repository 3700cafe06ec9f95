"""Emptying the tables after a test, while a server may still be at work on them.

Only those that hold rows, and not those that Django fills when it makes tables: to empty all of them and fill these
anew takes as long as many a test.

A page that has just been closed says farewell, and the server that hears it locks rows in an order of its own, or
writes one that names another that is just deleted. Then it is done again.
"""

from django.core.management import call_command
from django.core.management.color import no_style
from django.db import IntegrityError, OperationalError, connection, transaction
from django.test import TransactionTestCase

from annotation.corpus.read.document_search import FTS

TRIES = 10
MADE_WITH_TABLES = {"auth_permission", "django_content_type"}
LARGE = (
    4 << 20
)  # bytes of tables that PostgreSQL truncates: what is deleted stays in the file, and triggers ask for each
SIZE = "SELECT sum(pg_relation_size(name)) FROM unnest(%s::text[]) AS name"


def empty_patiently(_case: TransactionTestCase | None = None) -> None:
    for _ in range(TRIES - 1):
        try:
            return empty_tables()
        except (OperationalError, IntegrityError):
            connection.ensure_connection()
    return empty_tables()


def empty_tables() -> None:
    filled = tables_with_rows()
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:  # no model has it, so that it is in no list of tables
            cursor.execute(f"INSERT INTO {FTS} ({FTS}) SELECT 'delete-all' FROM {FTS}_docsize LIMIT 1")  # noqa: S608
    if not MADE_WITH_TABLES.issubset(filled):  # a test has emptied these, too
        call_command("flush", verbosity=0, interactive=False)
        return
    tables = [name for name in filled if name not in MADE_WITH_TABLES]
    if connection.vendor == "postgresql" and _bytes_of(tables) > LARGE:
        truncate = connection.ops.sql_flush(no_style(), tables, allow_cascade=True)
        connection.ops.execute_sql_flush(truncate)
    else:
        _delete_all(tables)


def tables_with_rows() -> list[str]:
    """In the order in which they are emptied."""
    names = sorted(connection.introspection.django_table_names())
    asked = (f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {name})" for name in names)  # noqa: S608 -- our own models
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(asked))
        return [name for (name,) in cursor.fetchall()]


def _bytes_of(tables: list[str]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(SIZE, [tables])
        return int(cursor.fetchone()[0] or 0)


def _delete_all(tables: list[str]) -> None:
    """In one transaction, at whose end all references are looked at."""
    with transaction.atomic(), connection.cursor() as cursor:
        for name in tables:
            cursor.execute(f"DELETE FROM {name}")  # noqa: S608
