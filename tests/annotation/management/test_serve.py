"""One command runs web server and worker: they start together, a lost worker is replaced, all of it ends together."""

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

import pytest

from annotation.formats.store import INCOMING
from annotation.management.commands.serve import first_account
from tests.factories import make_user
from tests.migrated import migrated_database

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 60  # seconds until something that should happen counts as never happening


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An installation of its own, on SQLite."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith("TOUCHSTONE_")}
    outside.pop("DATABASE_URL", None)
    return {**outside, "TOUCHSTONE_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "touchstone.settings"}


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
def server(
    request: pytest.FixtureRequest, environment: dict[str, str], port: int
) -> Generator["subprocess.Popen[bytes]", None, None]:
    shutil.copyfile(migrated_database(), Path(environment["TOUCHSTONE_VAR"]) / "touchstone.sqlite3")
    command = [sys.executable, str(ROOT / "manage.py"), "serve", "--port", str(port), "--workers", "1"]
    broken_off(environment).parent.mkdir()
    broken_off(environment).touch()
    os.utime(broken_off(environment), (1, 1))
    with log_of(environment).open("wb") as log:
        process = subprocess.Popen(
            [*command, *getattr(request, "param", [])],
            cwd=environment["TOUCHSTONE_VAR"],  # it can be called from anywhere
            env={**environment, "TOUCHSTONE_LOG": "json"},
            stderr=log,
        )
    yield process
    if process.poll() is None:
        process.kill()
        for child in children_of(process.pid):
            os.kill(child, signal.SIGKILL)
        process.wait()


def broken_off(environment: dict[str, str]) -> Path:
    """A file that stopped on its way in long ago."""
    return Path(environment["TOUCHSTONE_VAR"]) / "files" / f"{INCOMING}broken-off"


def log_of(environment: dict[str, str]) -> Path:
    return Path(environment["TOUCHSTONE_VAR"]) / "log"


def manage(environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout


def import_state(environment: dict[str, str]) -> str:
    with closing(sqlite3.connect(Path(environment["TOUCHSTONE_VAR"]) / "touchstone.sqlite3")) as database:
        return str(database.execute("SELECT state FROM annotation_import").fetchone()[0])


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_worker(pid: int) -> bool:
    return b"worker" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")


def workers_of(pid: int) -> set[int]:
    return {child for child in children_of(pid) if is_worker(child)}


def level(pid: int) -> int:
    """How much it gives way, as `nice` counts."""
    return os.getpriority(os.PRIO_PROCESS, pid)


def until(happened: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, f"{what}: not within {PATIENCE} seconds"
        time.sleep(0.1)


def answers(port: int, path: str = "/healthz") -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as response:
            return bool(response.status == 200)
    except urllib.error.URLError:
        return False


def ended(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status")
    return not status.exists() or "\nState:\tZ" in status.read_text()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks at processes through /proc")
def test_serve_runs_both_replaces_a_lost_worker_and_ends_both(
    server: "subprocess.Popen[bytes]", environment: dict[str, str], port: int
) -> None:
    until(lambda: answers(port), "the web server answers")
    assert answers(port, "/static/img/logo.svg")

    first, second = sorted(workers_of(server.pid))
    os.kill(first, signal.SIGKILL)
    until(lambda: len(workers_of(server.pid) - {first, second}) == 1, "another worker runs")

    manage(environment, "shell", "-c", QUEUE)
    until(lambda: import_state(environment) == "refused", "the worker does the job")

    until(lambda: len(children_of(server.pid)) == 3, "the web server and two workers run")
    processes = children_of(server.pid)
    assert {level(pid) for pid in (server.pid, *processes)} == {level(os.getpid())}  # on SQLite no worker gives way
    assert os.getpgid(server.pid) not in set(map(os.getpgid, processes))  # Ctrl-C at a terminal meets `serve` alone
    server.send_signal(signal.SIGTERM)
    assert server.wait(PATIENCE) == 0
    assert [ended(pid) for pid in processes] == [True, True, True]
    assert not answers(port)
    lines = [json.loads(line) for line in log_of(environment).read_text().splitlines()]
    assert {"touchstone.requests", "annotation.management.commands.serve"} <= {line["logger"] for line in lines}
    assert "The worker ended with status -9; starting another." in {line["message"] for line in lines}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks at processes through /proc")
@pytest.mark.parametrize("server", [["--without-worker", "--give-way"]], indirect=True)
def test_the_web_server_alone(server: "subprocess.Popen[bytes]", environment: dict[str, str], port: int) -> None:
    until(lambda: answers(port, "/readyz"), "the web server is ready")
    until(lambda: not broken_off(environment).exists(), "a file that broke off on its way is cleared away")
    assert [is_worker(child) for child in children_of(server.pid)] == [False]
    assert {level(pid) for pid in (server.pid, *children_of(server.pid))} == {max(10, level(os.getpid()))}
    server.send_signal(signal.SIGTERM)
    assert server.wait(PATIENCE) == 0


def test_serve_wants_a_migrated_database(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "serve"], cwd=ROOT, env=environment, check=False, capture_output=True, text=True
    )
    assert (done.returncode, "run `manage.py migrate` first" in done.stderr) == (1, True)


def test_serve_does_not_say_that_it_listens_where_the_port_is_taken(
    environment: dict[str, str], tmp_path: Path
) -> None:
    shutil.copyfile(migrated_database(), tmp_path / "touchstone.sqlite3")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT, env=environment, check=False, capture_output=True, text=True,
        )  # fmt: skip
    assert (done.returncode, "listens" in done.stdout) == (1, False)
    assert f"Cannot listen at 127.0.0.1, port {port}: Address already in use." in done.stderr


@pytest.mark.django_db
def test_serve_says_how_the_first_person_comes_in() -> None:
    assert first_account("http://127.0.0.1:8080").endswith("create_admin NAME --address http://127.0.0.1:8080")
    make_user("lead")
    assert first_account("http://127.0.0.1:8080") == ""


def test_the_line_works_in_another_shell(environment: dict[str, str], tmp_path: Path) -> None:
    shutil.copyfile(migrated_database(), tmp_path / "touchstone.sqlite3")
    code = (
        f"import sys, django; sys.argv = [{str(ROOT / 'manage.py')!r}]; django.setup(); "
        "from annotation.management.commands.serve import first_account; print(first_account('http://127.0.0.1:1'))"
    )
    line = subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, env=environment, text=True)
    command = line.partition(": ")[2].replace("NAME", "lead")
    done = subprocess.run(["sh", "-c", command], cwd="/", env={}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, "http://127.0.0.1:1/" in done.stdout) == (0, "", True)


def test_the_line_holds_no_password(environment: dict[str, str]) -> None:
    database = "postgres://lead:secret@127.0.0.1:1/x"
    code = (
        "import django; django.setup(); from annotation.management.commands.serve import _environment as e; print(e())"
    )
    arguments = subprocess.check_output(
        [sys.executable, "-c", code], cwd=ROOT, env={**environment, "DATABASE_URL": database}
    )
    assert (b"secret" in arguments, b"DATABASE_URL=..." in arguments) == (False, True)


QUEUE = """
import io
from annotation.models import Collection
from annotation.exchange.steps.importing import start_import
collection = Collection.objects.create(slug="bees", name="Bees")
file = io.BytesIO(b"1")
start_import(collection, kind="topics", stream=file, filename="t.tsv", created_by=None, on_conflict="refuse")
"""
