"""The server under load: `manage.py serve`, on a database that is made for it."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import cast

ROOT = Path(__file__).resolve().parents[2]
CAMPAIGN = Path(__file__).with_name("campaign.py")
START_LIMIT = 300.0  # seconds, on a machine with other work
TICK = os.sysconf("SC_CLK_TCK")

Prepared = dict[str, object]


class Server:
    """Within the context it runs."""

    def __init__(self, var: Path, url: str, *options: str, is_service: bool = False) -> None:
        """`options`: of `serve`. A service has a session of its own, among which Linux shares the processors."""
        self.var, self.port, self.options, self.is_service = var, _free_port(), options, is_service
        self.environment = {**os.environ, "DATABASE_URL": url, "TOUCHSTONE_VAR": str(var)}
        self.log = var / "server.log"
        self.process: subprocess.Popen[bytes] | None = None

    def prepare(self, people: Sequence[int], *, pairs: int) -> list[Prepared]:
        """A batch of so many pairs for each number of people: its token and their sessions."""
        self._run("manage.py", "migrate", "--verbosity=0")
        output = self._run(str(CAMPAIGN), "make", str(pairs), *map(str, people))
        return cast("list[Prepared]", json.loads(output))

    def wrong(self, batch: Prepared, acknowledged: dict[str, int]) -> list[str]:
        """What is lost, doubled or otherwise not as it must be."""
        process = subprocess.run(
            [sys.executable, str(CAMPAIGN), "check", str(batch["token"])],
            cwd=ROOT, env=self.environment, input=json.dumps(acknowledged), capture_output=True, text=True, check=True,
        )  # fmt: skip
        return cast("list[str]", json.loads(process.stdout))

    def cpu_seconds(self) -> float:
        """What the server's processes have used so far, those of its database server too: all that this one began."""
        return sum(_used(pid) for pid in _family(os.getpid()) - {os.getpid()})

    def __enter__(self) -> "Server":
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port), "--without-worker", *self.options]
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=output, stderr=output, start_new_session=self.is_service
            )
        self._wait_until_ready()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(40)

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5):
                    return
            except OSError:
                time.sleep(0.2)
        raise SystemExit(f"the server did not start:\n{self.log.read_text(errors='replace')}")

    def _run(self, *command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _family(root: int) -> set[int]:
    """The process and all below it."""
    parents = {}
    for entry in Path("/proc").iterdir():
        fields = _stat(entry).rpartition(") ")[2].split() if entry.name.isdecimal() else []
        if fields:
            parents[int(entry.name)] = int(fields[1])
    family = {root}
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    return family


def _used(pid: int) -> float:
    fields = _stat(Path("/proc") / str(pid)).rpartition(") ")[2].split()
    return sum(map(int, fields[11:15])) / TICK if fields else 0.0


def _stat(folder: Path) -> str:
    try:
        return (folder / "stat").read_text()
    except OSError:
        return ""
