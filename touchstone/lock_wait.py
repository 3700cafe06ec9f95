"""How long SQLite is waited for while somebody else writes: a request may be sent again, a job would begin anew."""

import os

WEB, ELSEWHERE = 5, 20  # seconds
CHOSEN = "TOUCHSTONE_LOCK_SECONDS"


def pragmas(seconds: int) -> str:
    """What every connection to SQLite begins with. FULL: under WAL, NORMAL loses acknowledged commits when the power
    fails."""
    wait = f"PRAGMA busy_timeout = {1000 * seconds}"
    return f"{wait}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON"


def wait_as_web_server() -> None:
    """Connections from here on wait shorter, unless somebody has chosen how long."""
    from django.db import connections  # noqa: PLC0415 -- settings name this module

    for database in connections.settings.values():
        if "init_command" in database["OPTIONS"] and CHOSEN not in os.environ:
            database["OPTIONS"]["init_command"] = pragmas(WEB)
