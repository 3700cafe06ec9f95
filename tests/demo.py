"""The demo, made once for all tests that look at it: by `manage.py demo`, in a process and a folder of its own.

To make it takes as long as a hundred tests. It is made for the test that asks first; others wait for it.
"""

import fcntl
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection

from tests.migrated import migrated_database
from tests.touchstone.elsewhere import outside

ROOT = Path(__file__).resolve().parent.parent
URL = "https://demo.example.org"


@dataclass(frozen=True)
class MadeDemo:
    """Its database and files lie in `folder`, which all workers share."""

    folder: Path

    def put(self) -> str:
        """Put its rows and files in the place of the test's own; give what the command said that made it."""
        if connection.vendor != "sqlite":
            out = StringIO()
            call_command("demo", url=URL, stdout=out)
            return out.getvalue()
        connection.ensure_connection()
        self._copy_rows(connection.connection)
        self.copy_files(Path(settings.TOUCHSTONE_FILES))
        return (self._whole() / "said").read_text("utf-8")

    def copy_database(self, file: Path) -> None:
        with closing(sqlite3.connect(file)) as target:
            self._copy_rows(target)

    def copy_files(self, folder: Path) -> None:
        shutil.copytree(self._whole() / "files", folder, dirs_exist_ok=True)

    def _copy_rows(self, target: sqlite3.Connection) -> None:
        with closing(sqlite3.connect(self._whole() / "demo.sqlite3")) as source:
            source.backup(target)

    def _whole(self) -> Path:
        with self._alone():
            if not (self.folder / "said").exists():
                (self.folder / "said").write_text(self._output(), "utf-8")
        return self.folder

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _output(self) -> str:
        """Not where the sources lie: what it needs comes with the packages."""
        shutil.copyfile(migrated_database(), self.folder / "demo.sqlite3")
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), "demo", "--url", URL],
            cwd=self.folder,
            env={**outside(), "DATABASE_URL": f"sqlite:///{self.folder / 'demo.sqlite3'}", **self._places()},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def _places(self) -> dict[str, str]:
        return {"TOUCHSTONE_VAR": str(self.folder), "TOUCHSTONE_FILES": str(self.folder / "files")}
