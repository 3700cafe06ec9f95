"""Files on their way: bundles made for download, and bundles brought but not yet unpacked. Gone after a day.

They lie under their hashes as all files do, but apart from those that rows name, so that their age alone decides.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import BinaryIO, cast

from django.conf import settings

from annotation.formats.store import CHUNK, Incoming, path_of, sweep_incoming
from annotation.models import Job
from annotation.queries.bundles import CHECK, IMPORT

FOLDER = "transit"
KEPT = 24 * 3600  # seconds
PAUSE = 600  # seconds between two looks of a worker
GONE = "The file has been waiting for too long and is gone. Please upload it again."


def put_in_transit(stream: BinaryIO) -> str:
    """Keep the bytes, read to their end, for a day; returns their SHA-256."""
    with Incoming(_folder()) as incoming:
        while piece := stream.read(CHUNK):
            incoming.take(piece)
        sha = incoming.settle()
    os.utime(path_of(_folder(), sha))
    return sha


def wanted_of(sha: str, filename: str, slug: str) -> dict[str, str]:
    """What a job that takes such a file in is told."""
    return {"sha256": sha, "filename": PurePath(filename).name[-255:], "slug": slug}


def in_transit(sha: str) -> Path | None:
    """Where the file lies; None once it is gone."""
    path = path_of(_folder(), sha)
    return path if path.exists() else None


def opened_in_transit(sha: str) -> BinaryIO | None:
    """The file, open, so that it stays readable though it is cleared away; None once it is gone."""
    try:
        return path_of(_folder(), sha).open("rb")
    except FileNotFoundError:
        return None


def clear_transit() -> int:
    """Remove what is older than a day and not waited for by a job; returns how many files."""
    live = Job.objects.filter(kind__in=[CHECK, IMPORT], state__in=[Job.State.QUEUED, Job.State.RUNNING])
    needed = {str(payload.get("sha256")) for payload in live.values_list("payload", flat=True)}
    oldest = time.time() - KEPT
    old = [path for path in _folder().glob("*/*") if path.name not in needed and _is_older(path, oldest)]
    for path in old:
        path.unlink(missing_ok=True)
    sweep_incoming(_folder(), older_than=KEPT)
    return len(old)


def _is_older(path: Path, moment: float) -> bool:
    """Whether it is a file of an earlier time; False for one that another worker has just cleared away."""
    try:
        return path.is_file() and path.stat().st_mtime < moment
    except FileNotFoundError:
        return False


class _Tidying:
    """When transit was last looked through by this process."""

    at = float("-inf")


def clear_transit_now_and_then() -> None:
    """`clear_transit`, at most every ten minutes: for a worker that has nothing else to do."""
    if time.monotonic() - _Tidying.at > PAUSE:
        _Tidying.at = time.monotonic()
        clear_transit()


@contextmanager
def passing_file() -> Iterator[BinaryIO]:
    """A file without a name, on the disk of the store, that is gone with the block."""
    _folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=_folder()) as file:
        yield cast("BinaryIO", file)


def _folder() -> Path:
    return Path(settings.TOUCHSTONE_FILES) / FOLDER
