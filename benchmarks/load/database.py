"""New databases for benchmarks, on the disk that holds the project."""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from tests.postgres import SETTINGS, USER, temporary_server  # noqa: E402 -- the root of the project is found first


@contextmanager
def new_database(kind: str, *, settings: Mapping[str, str] = SETTINGS) -> Iterator[str]:
    """`sqlite` or `postgresql`, with these settings of the server; gives its DATABASE_URL."""
    if kind == "sqlite":
        with new_folder() as folder:
            yield f"sqlite:///{folder / 'bench.sqlite3'}"
    else:
        with temporary_server(settings) as url:
            yield url


def conninfo(url: str) -> str:
    """By which psycopg connects to the PostgreSQL of such a DATABASE_URL."""
    folder, _, name = url.removeprefix("postgres://").partition("@/")[2].rpartition("/")
    return f"host={folder} dbname={name} user={USER}"


@contextmanager
def new_folder() -> Iterator[Path]:
    """Under var: a folder of /tmp may lie in memory, where nothing is durable."""
    (ROOT / "var").mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="bench-", dir=ROOT / "var"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
