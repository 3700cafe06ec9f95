"""What takes long is given less of the processors than what people wait for, as far as the kernel can be told."""

import os
import subprocess
import sys

import pytest
from django.core.management import call_command
from django.db import connection

from annotation.management.commands import worker
from annotation.management.giving_way import SESSION

LOWEST = 19  # the kernel's last level
LOOK = """
import os
from annotation.management.giving_way import SESSION, give_way
os.nice({already})
give_way()
print(os.getpriority(os.PRIO_PROCESS, 0), SESSION.read_text() if SESSION.exists() else "")
"""


def looked(*, already: int, is_service: bool) -> list[str]:
    """Its level, and, where the kernel has such, the name of its session and the session's level."""
    command = [sys.executable, "-c", LOOK.format(already=already)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, start_new_session=is_service)
    return done.stdout.split()


def shares_among_sessions() -> bool:
    """A kernel without autogroups has no such file; it is empty for a process in a control group of processors."""
    return SESSION.exists() and bool(SESSION.read_text())


@pytest.mark.parametrize("already", [0, 4, 15])
def test_a_process_gives_way_and_is_never_raised(already: int) -> None:
    inherited = os.getpriority(os.PRIO_PROCESS, 0)
    own = min(inherited + already, LOWEST)
    assert looked(already=already, is_service=False)[0] == str(max(10, own))


@pytest.mark.skipif(not shares_among_sessions(), reason="the kernel does not share among sessions")
def test_a_service_gives_way_as_a_session_and_a_terminal_does_not() -> None:
    assert looked(already=0, is_service=True)[-1] == "10"
    own = SESSION.read_text().split()[-1]
    assert looked(already=0, is_service=False)[-1] == own


@pytest.mark.django_db
@pytest.mark.both("locks")
def test_a_worker_gives_way_where_nobody_waits_for_what_it_has_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    """On SQLite everybody who judges does."""
    calls: list[bool] = []
    monkeypatch.setattr(worker, "is_worker", lambda: True)
    monkeypatch.setattr(worker, "give_way", lambda: calls.append(True))
    call_command("worker", once=True)
    assert calls == ([] if connection.vendor == "sqlite" else [True])
