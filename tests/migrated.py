"""An empty, migrated database to copy: migrating takes a processor seven seconds.

On SQLite a file that stays until a migration or model changes; on PostgreSQL a database of the server, made once in
the life of the server. Where tests are shared among workers, it is made while they collect: python -m tests.migrated
"""

import fcntl
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from django.db import connection

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "var" / "tests"
SOURCES = ("annotation/migrations", "annotation/models", "evaluation/migrations", "evaluation/models")


def migrated_database() -> Path:
    """The SQLite file, made where none fits the migrations and models of today."""
    file = FOLDER / f"migrated-{_digest()}.sqlite3"
    with _alone():
        if not file.exists():
            for old in FOLDER.glob("migrated-*"):
                old.unlink()
            _make_file(file)
    return file


def migrated_template() -> str:
    """The name of the database on the PostgreSQL server of the tests, made where the server has none such."""
    name = f"touchstone_migrated_{_digest()}"
    with _alone(), connection._nodb_cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        if cursor.fetchone() is None:
            making = f"{name}_making"
            put_database(making, template="template1")
            _migrate(f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{making}")
            cursor.execute(f"ALTER DATABASE {making} RENAME TO {name}")
    return name


def put_database(name: str, *, template: str) -> None:
    """A copy of the template on the PostgreSQL server, in place of any database of that name."""
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        cursor.execute(f"CREATE DATABASE {name} TEMPLATE {template}")


def make_ahead() -> None:
    """Have it made, without waiting: who needs it before waits then, or makes it."""
    subprocess.Popen(
        [sys.executable, "-m", "tests.migrated"],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "touchstone.settings"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@contextmanager
def _alone() -> Iterator[None]:
    """Of all workers one makes it; the others wait."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _digest() -> str:
    digest = hashlib.sha256(django.__version__.encode())
    for folder in SOURCES:
        for source in sorted((ROOT / folder).rglob("*.py")):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _make_file(file: Path) -> None:
    """Under another name until it is whole."""
    making = file.with_suffix(".making")
    making.unlink(missing_ok=True)
    _migrate(f"sqlite:///{making}")
    making.replace(file)


def _migrate(url: str) -> None:
    """In a process of its own: this one's connections are the tests'."""
    environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "touchstone.settings"}
    command = [sys.executable, "manage.py", "migrate", "-v0", "--skip-checks"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


if __name__ == "__main__":
    django.setup()
    migrated_database() if connection.vendor == "sqlite" else migrated_template()
