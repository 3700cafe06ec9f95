"""`migrate` as the command line has it: on SQLite foreign keys are checked after the first migration and the last.

While SQLite makes a table anew it holds nobody to foreign keys, so Django looks through the whole
file after each migration, whatever it did: of a million judgments some 9 s of a processor, forty
times from 0.2.0 on. What was broken before still stops the first migration; what one of them broke
is found at the end, when the others are applied.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        with foreign_keys_checked_twice(connections[options["database"]]):
            super().handle(*args, **options)


@contextmanager
def foreign_keys_checked_twice(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Raises `IntegrityError` where a row names one that is not there. Other databases check by themselves."""
    if connection.vendor != "sqlite":
        yield
        return
    n_asked, check = 0, connection.check_constraints

    def check_first(table_names: Sequence[str] | None = None) -> None:
        nonlocal n_asked
        n_asked += 1
        if n_asked == 1:
            check(table_names)

    connection.check_constraints = check_first  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        del connection.check_constraints
    if n_asked > 1:
        check()
