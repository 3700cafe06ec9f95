"""How much a database has read of its tables: what a page costs it, whatever else the machine does."""

from django.apps import apps
from django.db import connection
from django.test import Client

from annotation.kernel.bulk_rows import tell_planner

STEPS, A_ROW = 100, 10  # of SQLite's virtual machine: counted at once, and about those of one row
_READ = "SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::bigint FROM pg_stat_xact_user_tables"


class _Steps:
    n = 0

    def count(self) -> int:
        self.n += STEPS
        return 0  # else SQLite gives up


_steps = _Steps()


def rows_read() -> int:
    """In this transaction so far: rows on PostgreSQL. SQLite does not say: there it goes by the steps of statements,
    from the first call on, and short ones are not counted."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        connection.connection.set_progress_handler(_steps.count, STEPS)
        return _steps.n // A_ROW
    with connection.cursor() as cursor:
        cursor.execute(_READ)
        return int(cursor.fetchone()[0])


def plan_by_indexes() -> None:
    """In this transaction, also where reading or sorting a whole table would be as quick, as it is in small ones, or
    reading fifty rows by one index in place of one row by another: which of these it would be goes by what other tests
    have left and by how often a connection has executed a statement. Which index, goes by what tell_all says."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for way in ("seqscan", "bitmapscan", "hashjoin", "mergejoin"):
                cursor.execute(f"SET LOCAL enable_{way} = off")


def tell_all() -> None:
    """Tell the planner what every table holds: else it plans by what other tests have left there, or by nothing."""
    tell_planner(*apps.get_models())


def rows_of(client: Client, address: str) -> int:
    """Of a page, the second time."""
    for _ in range(2):
        before = rows_read()
        assert client.get(address).status_code == 200, address
        n = rows_read() - before
    return n
