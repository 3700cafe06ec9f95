"""Real worker processes on the database in use, which can be frozen, told to end and killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from tests.live import database_url

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120  # seconds until something that should happen counts as never happening


class Worker:
    """`manage.py worker` in a process of its own."""

    def __init__(self, var: Path, *arguments: str, **environment: str) -> None:
        var.mkdir(parents=True, exist_ok=True)
        self.log = var / "worker.log"
        variables = {
            "DATABASE_URL": database_url(),
            "TOUCHSTONE_VAR": str(var),
            "TOUCHSTONE_FILES": str(settings.TOUCHSTONE_FILES),
            "TOUCHSTONE_SECRET_KEY": settings.SECRET_KEY,
            **environment,
        }
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "worker", *arguments],
                cwd=ROOT,
                env={**os.environ, **variables},
                stdout=output,
                stderr=output,
            )

    def child(self) -> int | None:
        """The process that does a job now, if any."""
        return next(iter(children(self.process.pid)), None)

    def signal(self, number: signal.Signals, *, child: int | None = None) -> None:
        """To the worker, and to its child where one is given."""
        for pid in (self.process.pid, child):
            if pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(pid, number)

    def kill(self) -> None:
        """SIGKILL to the worker alone. That its child ends too is the system's doing, and is waited for."""
        child = self.child()
        self.process.kill()
        self.process.wait()
        if child is not None:
            until(lambda: has_ended(child), "the child of a killed worker ends")

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(PATIENCE)


def children(pid: int) -> list[int]:
    """The processes that this one has begun, those that have ended included until it looks after them."""
    with suppress(OSError):
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    return []


def has_ended(pid: int) -> bool:
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


def until(happened: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {PATIENCE} seconds")
        time.sleep(0.02)
