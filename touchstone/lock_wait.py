"""How long the database is waited for while others write: a request may be sent again, a job would begin anew."""

import os
from typing import Any

WEB, ELSEWHERE = 5, 20  # seconds; PostgreSQL, where only the same rows are waited for, sets no limit elsewhere
CHOSEN = "TOUCHSTONE_LOCK_SECONDS"


def pragmas(seconds: int) -> str:
    """What every connection to SQLite begins with. FULL: under WAL, NORMAL loses acknowledged commits when the power
    fails."""
    wait = f"PRAGMA busy_timeout = {1000 * seconds}"
    return f"{wait}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON"


def wait_at_most(database: dict[str, Any], seconds: int) -> None:
    """Connections from here on wait so long for each lock. A `lock_timeout` in DATABASE_URL holds before ours."""
    options = database.setdefault("OPTIONS", {})
    if database["ENGINE"].endswith("sqlite3"):
        options["init_command"] = pragmas(seconds)
    elif "lock_timeout" not in options.get("options", ""):
        options["options"] = f"{options.get('options', '')} -c lock_timeout={1000 * seconds}".strip()


def wait_as_web_server() -> None:
    """Connections from here on wait shorter, unless somebody has chosen how long."""
    from django.db import connections  # noqa: PLC0415 -- settings name this module

    if CHOSEN not in os.environ:
        for database in connections.settings.values():
            wait_at_most(database, WEB)
