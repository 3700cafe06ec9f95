"""`migrate` checks foreign keys with the first migration, and once all are applied."""

import logging
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from django.db import DEFAULT_DB_ALIAS, IntegrityError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from pytest_django import DjangoDbBlocker

from touchstone import command_line, migrating
from touchstone.migrating import foreign_keys_checked_twice

TABLES = """
CREATE TABLE hive (id integer PRIMARY KEY);
CREATE TABLE bee (id integer PRIMARY KEY, hive integer REFERENCES hive (id) DEFERRABLE INITIALLY DEFERRED);
INSERT INTO hive VALUES (1);
INSERT INTO bee VALUES (1, 1);
"""
WITHOUT_HIVE, NOTHING = "DELETE FROM hive", "SELECT 1"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bees.sqlite3"
    with sqlite3.connect(path) as raw:
        raw.executescript(TABLES)
    return path


@pytest.fixture
def connection(
    file: Path, monkeypatch: pytest.MonkeyPatch, django_db_blocker: DjangoDbBlocker
) -> Iterator[BaseDatabaseWrapper]:
    """To a file of its own, so that nothing has to be undone."""
    settings = {**connections.settings[DEFAULT_DB_ALIAS], "ENGINE": "django.db.backends.sqlite3", "NAME": str(file)}
    monkeypatch.setitem(connections.settings, "bees", settings | {"OPTIONS": {}})
    with django_db_blocker.unblock():
        yield connections["bees"]
        connections["bees"].close()
    del connections["bees"]


def migrate(connection: BaseDatabaseWrapper, *statements: str) -> None:
    """By a migration each."""
    for statement in statements:
        with connection.schema_editor() as editor:
            editor.execute(statement)


def tables_in(file: Path) -> set[str]:
    with sqlite3.connect(file) as raw:
        return {name for (name,) in raw.execute("SELECT name FROM sqlite_master")}


def test_many_migrations_take_two_checks_one_takes_one_and_none_none(
    connection: BaseDatabaseWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks, check = list[int](), type(connection).check_constraints

    def counted(self: BaseDatabaseWrapper, table_names: Sequence[str] | None = None) -> None:
        checks.append(1)
        check(self, table_names)

    monkeypatch.setattr(type(connection), "check_constraints", counted)
    for n_migrations, n_checks in ((5, 2), (1, 1), (0, 0)):
        checks.clear()
        with foreign_keys_checked_twice(connection):
            migrate(connection, *[NOTHING] * n_migrations)
        assert len(checks) == n_checks
    migrate(connection, NOTHING, NOTHING)
    assert len(checks) == 2  # as Django does by itself


def test_what_was_broken_before_stops_the_first_migration(connection: BaseDatabaseWrapper, file: Path) -> None:
    with sqlite3.connect(file) as raw:
        raw.execute(WITHOUT_HIVE)
    with pytest.raises(IntegrityError), foreign_keys_checked_twice(connection):
        migrate(connection, "CREATE TABLE first (n)", "CREATE TABLE second (n)")
    connection.close()
    assert tables_in(file) == {"hive", "bee"}


def test_what_a_later_migration_breaks_is_found_at_the_end(connection: BaseDatabaseWrapper, file: Path) -> None:
    with pytest.raises(IntegrityError), foreign_keys_checked_twice(connection):
        migrate(connection, NOTHING, WITHOUT_HIVE, "CREATE TABLE last (n)")
    assert "last" in tables_in(file)


def test_the_command_line_has_it(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.getLogger("annotation").level, logger="annotation")  # the command line sets it
    called = list[list[str]]()
    monkeypatch.setattr(migrating.Command, "run_from_argv", lambda _, words: called.append(words))
    monkeypatch.setattr(sys, "argv", ["manage.py", "migrate"])
    command_line.main()
    assert called == [["manage.py", "migrate"]]
