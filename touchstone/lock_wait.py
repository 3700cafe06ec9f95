"""How long the database is waited for while others write: a request may be sent again, a job would begin anew."""

import os
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

WEB, ELSEWHERE = 1.5, 20  # seconds; PostgreSQL, where only the same rows are waited for, sets no limit elsewhere
LITTLE, SPELL = 0.02, 2.0  # seconds that a process waits after it has waited in vain, and for how long it does so
CHOSEN = "TOUCHSTONE_LOCK_SECONDS"


def pragmas(seconds: float) -> str:
    """What every connection to SQLite begins with. FULL: under WAL, NORMAL loses acknowledged commits when the power
    fails."""
    wait = f"PRAGMA busy_timeout = {round(1000 * seconds)}"
    return f"{wait}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON"


def wait_at_most(database: dict[str, Any], seconds: float) -> None:
    """Connections from here on wait so long for each lock. A `lock_timeout` in DATABASE_URL holds before ours."""
    options = database.setdefault("OPTIONS", {})
    if database["ENGINE"].endswith("sqlite3"):
        options["init_command"] = pragmas(seconds)
    elif "lock_timeout" not in options.get("options", ""):
        options["options"] = f"{options.get('options', '')} -c lock_timeout={round(1000 * seconds)}".strip()


def wait_as_web_server() -> None:
    """Connections from here on wait shorter, unless somebody has chosen how long."""
    from django.db import connections  # noqa: PLC0415 -- settings name this module

    if CHOSEN not in os.environ:
        for database in connections.settings.values():
            wait_at_most(database, WEB)


def wait_little(database: "BaseDatabaseWrapper") -> None:
    """Who stands behind a request that waited for SQLite's lock in vain is refused at once, not after a wait each.

    Django closes the connection when the spell is over, as one that is too old; the next one waits as before.
    """
    end = time.monotonic() + SPELL
    is_ending = database.close_at is not None and database.close_at <= end
    if database.vendor == "sqlite" and not database.in_atomic_block and not is_ending:
        with database.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {round(1000 * LITTLE)}")
        database.close_at = end
