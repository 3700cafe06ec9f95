"""Something else writes for long: the server says so within seconds, and the page sends the grade until it is saved."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from django.db import connection
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.desk import Desk, grades_in, make_reading, user_of
from tests.browser.watcher import Watcher

pytestmark = pytest.mark.browser
LONGEST = 5  # seconds in which a busy server has to answer: it waits 1.5 for the lock


@contextmanager
def locked() -> Iterator[None]:
    """Nobody else can write; on PostgreSQL nobody writes judgments."""
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")
        return
    other_connection = connection.copy()
    other_connection.set_autocommit(False)
    with closing(other_connection), other_connection.cursor() as cursor:
        cursor.execute("LOCK TABLE annotation_judgment IN EXCLUSIVE MODE")
        yield
        other_connection.rollback()


def test_a_locked_database_loses_no_grade(open_context: Opener, watcher: Watcher) -> None:
    watcher.expect("503")
    batch = make_reading(3)
    desk = Desk.at(open_context(user_of(batch)), batch)
    with locked():
        began = time.monotonic()
        desk.press("3")
        if connection.vendor == "sqlite":
            expect(desk.trouble).to_contain_text("the server is in trouble (503)", timeout=LONGEST * 1000)
            assert time.monotonic() - began < LONGEST
        assert grades_in(batch) == []
    expect(desk.status).to_contain_text("Saved", timeout=20_000)
    assert grades_in(batch) == [3]
