"""What was acknowledged outlasts a power cut. In full, on both databases: `make soak-cuts`."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from tests.live import Server
from tests.postgres import DURABLE, USER, Cluster, temporary_server
from tests.soak.cuts import CutsSoak, PostgresFiles
from tests.soak.disk import COMPILER, Disk, Recording

pytestmark = [
    pytest.mark.skipif(COMPILER is None, reason="what is written is recorded by a library in C; no compiler"),
    pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD and /proc are Linux's"),
]

WRITER = """
import os, sqlite3, sys
database, record, synchronous = sys.argv[1:]
rows = sqlite3.connect(database, isolation_level=None)
rows.execute(f"PRAGMA synchronous = {synchronous}")
rows.execute("PRAGMA wal_autocheckpoint = 50")
for n in range(200):
    rows.execute("INSERT INTO rows VALUES (?, ?)", (n, "x" * (n * 97 % 3000)))
    print(os.stat(record).st_size)
"""


class OneProcess(Server):
    def command(self) -> list[str]:
        return [*super().command(), "--workers=1", "--worker-class=gthread", "--threads=3"]


@pytest.mark.alike("PostgreSQL is tried below, since the server of the tests is for all; by `make soak-cuts` like this")
@pytest.mark.django_db(transaction=True)
def test_judgments_outlast_power_cuts(tmp_path: Path) -> None:
    lines: list[str] = []
    soak = CutsSoak(tmp_path, 6, 1, 9, cuts=8, seed=1, say=lines.append, served=OneProcess, goes_on=False)
    figures = soak.run()
    assert figures.broken == [], "\n".join(lines)
    assert figures.cuts == figures.looks == 8
    assert figures.judgments > 20


@pytest.mark.parametrize(("synchronous", "loses"), [("FULL", False), ("NORMAL", True)])
def test_a_cut_takes_what_was_not_fsynced(tmp_path: Path, synchronous: str, *, loses: bool) -> None:
    """With NORMAL, SQLite acknowledges before it has fsynced."""
    database = tmp_path / "rows.sqlite3"
    with closing(sqlite3.connect(database)) as rows:
        rows.execute("PRAGMA journal_mode = WAL")
        rows.execute("CREATE TABLE rows (n INTEGER PRIMARY KEY, text TEXT)")
    with Recording() as recording:
        disk = Disk([database], recording)
        command = [sys.executable, "-c", WRITER, str(database), str(recording.file), synchronous]
        environment = {**os.environ, **recording.environment(database)}
        writer = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        missing = []
        for n, position in list(enumerate(map(int, writer.stdout.split())))[::10]:
            disk.go_to(position)
            folder = tmp_path / f"cut-{n}"
            folder.mkdir()
            for path, content in disk.after_cut(random.Random(n), 0.5).items():
                (folder / Path(path).name).write_bytes(content)
            with closing(sqlite3.connect(folder / database.name)) as rows:
                missing.append(rows.execute("SELECT n FROM rows WHERE n = ?", [n]).fetchone() is None)
        disk.go_to(recording.position)
    assert any(missing) == loses
    assert disk.whole()[str(database)] == database.read_bytes()


def test_rows_of_postgresql_outlast_an_immediate_stop_and_a_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)  # where `nobody`, who is PostgreSQL if root runs this, may enter
    monkeypatch.setattr(tempfile, "tempdir", None)
    with temporary_server(DURABLE) as url, Recording() as recording:
        cluster = Cluster(Path(url.partition("@/")[2]).parent)
        with _connected(cluster.folder) as rows:
            rows.execute("CREATE TABLE rows (n integer PRIMARY KEY)")
        files = PostgresFiles(recording, cluster)
        with _connected(cluster.folder) as rows:
            rows.execute("CHECKPOINT")  # folders are fsynced, too
            rows.execute("INSERT INTO rows VALUES (1)")
            acknowledged = recording.position
        cluster.stop(signal.SIGQUIT)
        files.server.wait()
        files.server = cluster.start(files.command, **recording.environment(cluster.data))
        with _connected(cluster.folder) as rows:
            assert rows.execute("SELECT n FROM rows").fetchall() == [(1,)]
        files.end()
        files.server.wait()
        files.disk.go_to(acknowledged)
        with files.after_cut(random.Random(1), 0.0), _connected(connection.settings_dict["HOST"]) as rows:
            assert rows.execute("SELECT n FROM rows").fetchall() == [(1,)]
        files.disk.go_to(recording.position)
        assert files.differing() == []


def _connected(folder: Path | str) -> psycopg.Connection:
    return psycopg.connect(host=str(folder), user=USER, dbname="postgres", autocommit=True)
