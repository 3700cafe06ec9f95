"""Emptying the tables after a test, while a server may still be at work on them.

Only those that hold rows, and without the signal at which Django fills its tables of permissions anew, which nothing
here reads: to empty all of them and to fill these takes as long as many a test.

A page that has just been closed says farewell, and the server that hears it reads its tables in an order of its own.
PostgreSQL ends one of two that wait for each other; where that is the one that empties the tables, it is done again.
"""

from django.core.management.color import no_style
from django.db import OperationalError, connection
from django.test import TransactionTestCase

TRIES = 10


def empty_patiently(_case: TransactionTestCase) -> None:
    for _ in range(TRIES - 1):
        try:
            return empty_tables()
        except OperationalError:
            connection.ensure_connection()
    return empty_tables()


def empty_tables() -> None:
    tables = tables_with_rows()
    if tables:
        cascade = connection.vendor == "postgresql"  # which truncates no table that another one, even empty, refers to
        statements = connection.ops.sql_flush(no_style(), tables, allow_cascade=cascade)
        connection.ops.execute_sql_flush(statements)


def tables_with_rows() -> list[str]:
    """In the order in which they are emptied."""
    quoted = connection.ops.quote_name
    asked = [
        f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {quoted(name)})"  # noqa: S608 -- tables of our own models
        for name in sorted(connection.introspection.django_table_names())
    ]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(asked))
        return [name for (name,) in cursor.fetchall()]
