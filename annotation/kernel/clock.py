"""What time it is for leases: all machines of an installation go by the clock of their database.

On PostgreSQL each new connection asks the server once; from then on a clock of this machine that
nobody sets goes on from there. What the machine's own clock says, and that somebody puts it right,
does not matter then, and no statement is added to a judgment. A SQLite file has one machine, whose
clock it is.
"""

import time
from datetime import datetime, timedelta
from typing import Any
from weakref import WeakKeyDictionary

from django.db import connection
from django.utils import timezone

ASKED = frozenset({"postgresql"})  # servers with a clock of their own

# What the server's clock said when a clock that nobody sets stood at 0, for each open connection.
_begun: "WeakKeyDictionary[Any, datetime]" = WeakKeyDictionary()


def now() -> datetime:
    """The time by which leases of cards and jobs run. Raises `DatabaseError` where the server does not answer."""
    if connection.vendor not in ASKED:
        return timezone.now()
    connection.ensure_connection()
    begun = _begun.get(connection.connection)
    if begun is None:
        begun = _begun[connection.connection] = server_time() - _ticks()
    return begun + _ticks()


def server_time() -> datetime:
    """What the clock of the database server says; on SQLite, this machine's."""
    if connection.vendor not in ASKED:
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (moment,) = cursor.fetchone()
    return moment  # type: ignore[no-any-return]


def _ticks() -> timedelta:
    """Time that has passed, also while the machine slept, where the system tells."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return timedelta(seconds=time.monotonic() if boot is None else time.clock_gettime(boot))
