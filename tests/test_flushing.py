"""The tables are emptied although a server is still reading them."""

import contextlib
import threading
import time

import pytest
from django.db import OperationalError, connection, connections
from django.test import TransactionTestCase

from annotation.models import User
from tests.factories import make_user

pytestmark = pytest.mark.both("sql")

LOCKED = """
    SELECT relation::regclass::text FROM pg_locks
    WHERE mode = 'AccessExclusiveLock' AND granted AND locktype = 'relation' AND pid <> pg_backend_pid()
      AND EXISTS (SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted)
"""
PATIENCE = 30.0  # seconds


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer, who waits for nobody")
def test_who_reads_in_another_order_is_waited_for(transactional_db: None) -> None:
    make_user("somebody")
    reads = threading.Event()
    reader = threading.Thread(target=read_the_other_way_round, args=(reads,))
    reader.start()
    assert reads.wait(PATIENCE)
    TransactionTestCase()._fixture_teardown()  # type: ignore[attr-defined]
    reader.join(PATIENCE)
    assert not User.objects.exists()


def read_the_other_way_round(reads: threading.Event) -> None:
    """A table; then, once somebody has locked another and waits for this one, that other."""
    own = connections.create_connection("default")
    with own.cursor() as cursor, contextlib.suppress(OperationalError):  # ended or not: the test holds for both
        cursor.execute("BEGIN")
        cursor.execute("SELECT FROM annotation_user")
        reads.set()
        locked: list[tuple[str]] = []
        deadline = time.monotonic() + PATIENCE
        while not locked and time.monotonic() < deadline:
            time.sleep(0.01)
            cursor.execute(LOCKED)
            locked = cursor.fetchall()
        cursor.execute(f"SELECT FROM {locked[0][0]}")
    own.close()
