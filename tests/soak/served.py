"""The app as it is deployed, `manage.py serve`, whose web processes can be killed one by one."""

import os
import random
import signal
import sys
from contextlib import suppress
from pathlib import Path

from tests.live import Server
from tests.soak.processes import children, has_ended, until


class Served(Server):
    """Web server and job workers in one process group; gunicorn replaces a web process that has died."""

    def __init__(self, var: Path, web_processes: int, *options: str) -> None:
        """`options`: more of `serve`."""
        super().__init__(var)
        self.web_processes, self.options = web_processes, options

    def _collect_statics(self) -> None:
        """`serve` does it."""

    def command(self) -> list[str]:
        serve = [sys.executable, "manage.py", "serve", f"--port={self.port}", f"--workers={self.web_processes}"]
        return [*serve, *self.options]

    def kill_web_process(self, rng: random.Random) -> None:
        """SIGKILL to one of them, once all are there."""
        until(lambda: len(self._web()) == self.web_processes, "all web processes run")
        os.kill(rng.choice(self._web()), signal.SIGKILL)

    def _web(self) -> list[int]:
        """The living ones. Gunicorn is known by its command, and has begun nothing but web processes."""
        masters = [pid for pid in children(self.pid) if b"gunicorn" in _command_of(pid)]
        return [pid for master in masters for pid in children(master) if not has_ended(pid)]


def _command_of(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""
