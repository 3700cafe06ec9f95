"""An empty, migrated SQLite database to copy: migrating takes a processor seven seconds."""

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "var" / "tests"
SOURCES = ("annotation/migrations", "annotation/models", "evaluation/migrations", "evaluation/models")


def migrated_database() -> Path:
    """The file, made where none fits the migrations and models of today; whoever comes second waits for it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / f"migrated-{_digest()}.sqlite3"
    with (FOLDER / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            for old in FOLDER.glob("migrated-*"):
                old.unlink()
            _make(file)
    return file


def _digest() -> str:
    digest = hashlib.sha256(django.__version__.encode())
    for folder in SOURCES:
        for source in sorted((ROOT / folder).rglob("*.py")):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _make(file: Path) -> None:
    """Under another name until it is whole. A process of its own: this one's connections are the tests'."""
    making = file.with_suffix(".making")
    making.unlink(missing_ok=True)
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{making}", "DJANGO_SETTINGS_MODULE": "touchstone.settings"}
    command = [sys.executable, "manage.py", "migrate", "-v0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    making.replace(file)
