"""How long the database is waited for while others write: a request may be sent again, a job would begin anew."""

import os
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

WEB, ELSEWHERE = 1.5, 20  # seconds; PostgreSQL, where only the same rows are waited for, sets no limit elsewhere
LITTLE = {"sqlite": 0.02, "postgresql": 0.05}  # seconds that a thread waits after it has waited in vain; and
SPELL = 2.0  # for how many seconds it does so
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
    """Who stands behind a request that waited for a lock in vain is refused soon, not after a wait each. On PostgreSQL,
    where others hold rows for a moment all the time, they have a twentieth of a second; behind PgBouncer, which gives a
    connection with its settings to anybody next, as long as ever.

    Django closes the connection when the spell is over, as one that is too old; the next one waits as before.
    """
    end = time.monotonic() + SPELL
    is_ending = database.close_at is not None and database.close_at <= end
    is_shared = database.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS", False)
    if is_shared or is_ending or database.in_atomic_block:
        return
    wait = round(1000 * LITTLE[database.vendor])
    with database.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {wait}" if database.vendor == "sqlite" else f"SET lock_timeout = {wait}")
    database.close_at = end
