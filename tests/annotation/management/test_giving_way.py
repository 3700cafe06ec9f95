"""What takes long is given less of the processors than what people wait for, as far as the kernel can be told."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from annotation.management.commands import worker

LOOK = """
import os
from annotation.management.giving_way import give_way
os.nice({already})
give_way()
session = open("/proc/self/autogroup").read().split()[-1] if os.path.exists("/proc/self/autogroup") else "-"
print(os.getpriority(os.PRIO_PROCESS, 0), session)
"""


def looked(*, already: int, is_service: bool) -> list[str]:
    """Its level, and that of its session."""
    command = [sys.executable, "-c", LOOK.format(already=already)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, start_new_session=is_service)
    return done.stdout.split()


@pytest.mark.parametrize("already", [0, 4, 15])
def test_a_process_gives_way_and_is_never_raised(already: int) -> None:
    inherited = os.getpriority(os.PRIO_PROCESS, 0)
    assert looked(already=already, is_service=False)[0] == str(max(10, inherited + already))


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="the kernel shares by nice alone")
def test_a_service_gives_way_as_a_session_and_a_terminal_does_not() -> None:
    assert looked(already=0, is_service=True)[1] == "10"
    own = Path("/proc/self/autogroup").read_text().split()[-1]
    assert looked(already=0, is_service=False)[1] == own


@pytest.mark.django_db
@pytest.mark.both("locks")
def test_a_worker_gives_way_where_nobody_waits_for_what_it_has_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    """On SQLite everybody who judges does."""
    calls: list[bool] = []
    monkeypatch.setattr(worker, "is_worker", lambda: True)
    monkeypatch.setattr(worker, "give_way", lambda: calls.append(True))
    call_command("worker", once=True)
    assert calls == ([] if connection.vendor == "sqlite" else [True])
