"""A real server (gunicorn, as in production) on the test's own database, for journeys, races and browsers."""

import fcntl
import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

from django.conf import settings
from django.db import connection

from annotation.models import User
from tests.signing_in import session_of

ROOT = Path(__file__).resolve().parent.parent
START_LIMIT = 60.0  # seconds

# gunicorn, told to end when the tests are killed and cannot end it themselves (prctl 1 is PR_SET_PDEATHSIG; Linux).
GUNICORN = """
import ctypes, runpy, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
runpy.run_module("gunicorn", run_name="__main__", alter_sys=True)
"""


def database_url() -> str:
    """Where the test's own rows are, for another process."""
    at = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{at['NAME']}"
    query = "?DISABLE_SERVER_SIDE_CURSORS=True" if at.get("DISABLE_SERVER_SIDE_CURSORS") else ""
    if at["HOST"].startswith("/"):
        return f"postgres://{at['USER']}@/{at['HOST']}/{at['NAME']}{query}"
    who = f"{quote(at['USER'])}:{quote(at['PASSWORD'])}" if at["PASSWORD"] else quote(at["USER"])
    return f"postgres://{who}@{at['HOST']}:{at['PORT'] or 5432}/{at['NAME']}{query}"


def sign_in(user: User) -> str:
    """The value of a session cookie for the person."""
    return str(session_of(user).session_key)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    text: str


class Server:
    """gunicorn in a process group of its own; `kill` ends it like a power cut, `stop` in good order."""

    statics: ClassVar[Path | None] = None  # where they are kept for all workers; None: nowhere
    root: Path = ROOT  # of the code that it runs
    patience: float = 30  # seconds for an answer

    def __init__(self, var: Path) -> None:
        self.var = var
        self.port = free_port()
        self.log = var / "server.log"
        self._process: subprocess.Popen[bytes] | None = None
        var.mkdir(parents=True, exist_ok=True)
        self._collect_statics()

    def _collect_statics(self) -> None:
        """Compressing them takes two seconds of a processor: the first server does it, whichever worker has it."""
        own, shared = self.var / "static", Server.statics
        if shared is None:
            self._manage("collectstatic", "--noinput", "--verbosity=0")
            return
        with shared.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not shared.is_dir():
                self._manage("collectstatic", "--noinput", "--verbosity=0")
                shutil.copytree(own, shared)
                return
        shutil.copytree(shared, own, dirs_exist_ok=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        assert self._process is not None, "the server does not run"
        return self._process.pid

    def command(self) -> list[str]:
        kind = (
            ["--workers=2"]
            if connection.vendor == "sqlite"
            else ["--worker-class=gthread", "--workers=2", "--threads=4"]
        )
        bind = f"--bind=127.0.0.1:{self.port}"
        return [sys.executable, "-c", GUNICORN, bind, "--preload", *kind, "touchstone.wsgi"]

    def start(self) -> None:
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                self.command(), cwd=self.root, env=self._environment(), stdout=output, stderr=output,
                start_new_session=True,
            )  # fmt: skip
        self._wait_until_ready()

    def kill(self) -> None:
        """SIGKILL to master and workers at once."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
            self._process = None

    def manage(self, *arguments: str) -> str:
        """Run a management command on the same database; gives what it printed."""
        return self._manage(*arguments)

    def request(self, method: str, path: str, *, body: str = "", headers: dict[str, str] | None = None) -> "Answer":
        """One request on a connection of its own, redirects not followed."""
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience)
        try:
            wire.request(method, path, body=body, headers=headers or {})
            answer = wire.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read().decode())
        finally:
            wire.close()

    def _manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise AssertionError(f"manage.py {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "DATABASE_URL": database_url(),
            "TOUCHSTONE_VAR": str(self.var),
            "TOUCHSTONE_FILES": str(settings.TOUCHSTONE_FILES),
            "TOUCHSTONE_SECRET_KEY": settings.SECRET_KEY,
        }

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline:
            try:
                answer = self.request("GET", "/healthz")
            except (http.client.HTTPException, OSError):
                if self._process is None or self._process.poll() is not None:
                    break
                time.sleep(0.1)
            else:
                assert answer.status == 200, answer.text + self.log.read_text(errors="replace")
                return
        raise AssertionError(f"the server did not start:\n{self.log.read_text(errors='replace')}")
