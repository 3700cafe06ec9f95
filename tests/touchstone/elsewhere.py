"""Another installation on the same kind of database as the suite's, or on the other one."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

from django.db import connection

from tests.live import database_url
from tests.migrated import migrated_database, migrated_template, put_database

SQLITE = "elsewhere.sqlite3"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00")
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Elsewhere:
    """An empty database and an empty folder."""

    url: str
    var: Path

    def manage(self, *arguments: str, refused: bool = False) -> str:
        """What the command printed; what it complained of, where it is to be refused."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={**outside(), "DATABASE_URL": self.url, "TOUCHSTONE_VAR": str(self.var)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode != 0) == refused, done.stdout + done.stderr
        return done.stderr if refused else done.stdout

    def python(self, code: str) -> Any:
        """What the code prints as JSON."""
        return json.loads(self.manage("shell", "-v0", "-c", code))


@contextmanager
def elsewhere(tmp_path: Path, *, kind: str = "", migrated: bool = False) -> Iterator[Elsewhere]:
    """`kind`: the suite's own unless it is said. `migrated`: with all tables."""
    var = tmp_path / f"var-{uuid4().hex[:8]}"
    var.mkdir()
    if (kind or connection.vendor) == "sqlite":
        if migrated:
            shutil.copy(migrated_database(), var / SQLITE)
        yield Elsewhere(f"sqlite:///{var / SQLITE}", var)
        return
    name = f"elsewhere_{uuid4().hex}"
    put_database(name, template=migrated_template() if migrated else "template1")
    try:
        yield Elsewhere(f"{database_url().rpartition('/')[0]}/{name}", var)
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def rows_in(backup: Path) -> dict[str, list[Any]]:
    """The rows of every table of a backup; times as a restore reads them, for each database writes its own digits."""
    with ZipFile(backup) as archive:
        members = [name for name in archive.namelist() if name.startswith("tables/")]
        return {name[7:-6]: [_row(line) for line in archive.read(name).splitlines()] for name in members}


def _row(line: bytes) -> list[Any]:
    return [
        datetime.fromisoformat(value) if isinstance(value, str) and _TIME.fullmatch(value) else value
        for value in json.loads(line)
    ]


def files_in(backup: Path) -> dict[str, bytes]:
    with ZipFile(backup) as archive:
        return {name[6:]: archive.read(name) for name in archive.namelist() if name.startswith("files/")}


def outside() -> dict[str, str]:
    """The environment of a process that knows nothing of this one's settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TOUCHSTONE_")}
