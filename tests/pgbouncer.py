"""Run a command behind a PgBouncer, set as docs/deployment.md says: python -m tests.pgbouncer COMMAND [ARGUMENT…]

Wants `pgbouncer` (1.21 or later) on the PATH, or where PGBOUNCER says. It stands before a PostgreSQL of its own
(tests/postgres.py), is reached by a socket in a temporary folder, and ends with the command.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.postgres import USER, Account, run, temporary_server

ROOT = Path(__file__).resolve().parent.parent
START_LIMIT = 20.0  # seconds
POOL = 12  # connections to PostgreSQL, fewer than the processes of a soak would open
OWN = """
unix_socket_dir = {folder}
listen_addr =
listen_port = 5432
auth_type = any
default_pool_size = {pool}
max_client_conn = 500
"""


@contextmanager
def temporary_pooler(url: str) -> Iterator[str]:
    """A pooler before the server; gives the DATABASE_URL that the page about deployment tells."""
    account = Account.unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="touchstone-pgb-"))
    pooler: subprocess.Popen[bytes] | None = None
    try:
        folder.chmod(0o755)
        account.give(folder)
        (folder / "pgbouncer.ini").write_text(settings(url, folder))
        command = [
            os.environ.get("PGBOUNCER") or shutil.which("pgbouncer") or "pgbouncer",
            str(folder / "pgbouncer.ini"),
        ]
        pooler = account.start(command, cwd=folder, log=folder / "pgbouncer.log")
        _wait_for(folder, pooler)
        yield f"postgres://{USER}@/{folder}/touchstone?DISABLE_SERVER_SIDE_CURSORS=True"
    finally:
        if pooler is not None:
            pooler.send_signal(signal.SIGTERM)  # at once, whoever is connected
            pooler.wait()
        shutil.rmtree(folder, ignore_errors=True)


def settings(url: str, folder: Path) -> str:
    """Those of the page, at our server."""
    page = (ROOT / "docs/deployment.md").read_text("utf-8")
    blocks: list[str] = re.findall(r"```ini\n(.*?)```", page, re.DOTALL)
    (block,) = (each for each in blocks if "[pgbouncer]" in each)
    host, name = url.partition("@/")[2].rsplit("/", 1)
    ours = block.replace("host=/run/postgresql dbname=touchstone", f"host={host} dbname={name} user={USER}")
    assert ours != block, "the page names another database than it did"
    return ours + OWN.format(folder=folder, pool=POOL)


def _wait_for(folder: Path, pooler: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + START_LIMIT
    while not (folder / ".s.PGSQL.5432").exists():
        if pooler.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"PgBouncer did not start:\n{(folder / 'pgbouncer.log').read_text(errors='replace')}")
        time.sleep(0.05)


def main() -> int:
    if not sys.argv[1:]:
        raise SystemExit(__doc__)
    with temporary_server() as server, temporary_pooler(server) as url:
        return run(sys.argv[1:], url=url)


if __name__ == "__main__":
    sys.exit(main())
