"""The tables are emptied although a server is still at work on them."""

import threading
import time
from contextlib import closing, suppress

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import OperationalError, connection, connections
from django.db.backends.utils import CursorWrapper
from django.test import TransactionTestCase

from annotation.corpus.read.document_search import FTS
from annotation.models import User
from tests import flushing
from tests.factories import make_collection, make_documents, make_user

pytestmark = pytest.mark.both("sql")
# SQLite has one writer, who waits for nobody.
only_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="locks of rows are PostgreSQL's")

ANYBODY_WAITS = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
LOCKS_USERS = "SELECT FROM annotation_user FOR UPDATE"
LOCKS_COLLECTIONS = "SELECT FROM annotation_collection FOR UPDATE"
ADDS_A_MEMBER = """
    SET CONSTRAINTS ALL IMMEDIATE;
    INSERT INTO annotation_membership (collection_id, user_id, role, created_at)
    SELECT collection.id, person.id, 'admin', now() FROM annotation_collection AS collection, annotation_user AS person
"""
PATIENCE = 30.0  # seconds


def flush() -> None:
    TransactionTestCase()._fixture_teardown()  # type: ignore[attr-defined]


@pytest.mark.parametrize("large", [flushing.LARGE, -1], ids=["deleted", "truncated"])
def test_every_row_goes_but_what_comes_with_the_tables(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, large: int
) -> None:
    monkeypatch.setattr(flushing, "LARGE", large)
    before = set(Permission.objects.values_list("pk")), set(ContentType.objects.values_list("pk"))
    make_documents(make_collection(admin=make_user("somebody")), ["a", "b"])
    flush()
    assert flushing.tables_with_rows() == sorted(flushing.MADE_WITH_TABLES)
    assert (set(Permission.objects.values_list("pk")), set(ContentType.objects.values_list("pk"))) == before


def test_what_comes_with_the_tables_is_there_again(transactional_db: None) -> None:
    n = Permission.objects.count()
    make_user("somebody")
    Permission.objects.all().delete()
    flush()
    assert (Permission.objects.count(), User.objects.exists()) == (n, False)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="on PostgreSQL the index is a table of its own")
def test_the_index_of_documents_is_empty_again(transactional_db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {FTS} (rowid, words) VALUES (1, 'bees')")  # noqa: S608
    flush()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT rowid FROM {FTS} WHERE {FTS} MATCH 'bees'")  # noqa: S608
        assert cursor.fetchall() == []


@only_postgresql
@pytest.mark.parametrize(
    ("first", "then"),
    [(LOCKS_USERS, LOCKS_COLLECTIONS), (ADDS_A_MEMBER, "SELECT")],
    ids=["locks the other way round", "writes what names others"],
)
def test_who_is_still_at_work_is_waited_for(transactional_db: None, first: str, then: str) -> None:
    make_collection()
    make_user("somebody")
    began = threading.Event()
    other = threading.Thread(target=work_meanwhile, args=(first, then, began))
    other.start()
    assert began.wait(PATIENCE)
    flush()
    other.join(PATIENCE)
    assert flushing.tables_with_rows() == sorted(flushing.MADE_WITH_TABLES)


def work_meanwhile(first: str, then: str, began: threading.Event) -> None:
    """One statement; then, once the tables are being emptied and that waits for this one, another."""
    own = connections.create_connection("default")
    with closing(own), own.cursor() as cursor, suppress(OperationalError):  # ended or not: the test holds for both
        cursor.execute("BEGIN")
        cursor.execute(first)
        began.set()
        deadline = time.monotonic() + PATIENCE
        while not _any(cursor, ANYBODY_WAITS) and time.monotonic() < deadline:
            time.sleep(0.01)
        cursor.execute(then)
        cursor.execute("COMMIT")


def _any(cursor: CursorWrapper, query: str) -> bool:
    cursor.execute(query)
    return cursor.fetchone() is not None
