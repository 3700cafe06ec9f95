"""Where tests write their files: in memory, where there is enough of it.

A sync as in production then costs nothing, nor does the removal of a thousand files.
"""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from django.conf import settings

MEMORY, ROOM = Path("/dev/shm"), 4 << 30  # noqa: S108 -- the database of one test is some megabytes
FOLDER = pytest.StashKey[Path]()  # in pytest's configuration: what this run writes lies below


def quick_folder() -> Path | None:
    """None: wherever temporary files usually lie."""
    roomy = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    return MEMORY if roomy else None


def runs_programs(folder: Path) -> bool:
    """Memory may be mounted so that nothing in it is run; environments that tests make are."""
    return not os.statvfs(folder).f_flag & os.ST_NOEXEC


def write_in(folder: Path) -> None:
    """From now on this process and those it starts write their files there, and the tests' database if it is one."""
    folder.mkdir(exist_ok=True)
    if runs_programs(folder):  # then `tmp_path` lies there, too, and what child processes write
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    settings.TOUCHSTONE_FILES = folder / "files"
    database = settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        # A file, as in production: a server in another thread or process sees what the test has committed.
        database.setdefault("TEST", {})["NAME"] = str(folder / "test.sqlite3")
