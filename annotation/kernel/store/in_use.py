"""The stores of this installation, as its settings say."""

from pathlib import Path
from typing import BinaryIO, TypeAlias

from django.conf import settings

from annotation.formats.store import Incoming
from annotation.kernel.store.disk import DiskStore, MissingError
from annotation.kernel.store.objects import Bucket, ObjectStore

TRANSIT = "transit"
DAY = 86_400.0
MOST = 100_000  # files that a process remembers to have compared

_compared: dict[str, tuple[int, int, int]] = {}  # by SHA-256, the file whose bytes this process has compared with it

FileStore: TypeAlias = DiskStore | ObjectStore


def stored_files() -> FileStore:
    """The files that rows name."""
    here = DiskStore(Path(settings.TOUCHSTONE_FILES))
    if not settings.TOUCHSTONE_S3["name"]:
        return here
    return ObjectStore(Bucket(**settings.TOUCHSTONE_S3), here)


def transit_files() -> FileStore:
    """Files on their way, whose age alone decides how long they stay."""
    return stored_files().within(TRANSIT)


def put(data: bytes | BinaryIO) -> str:
    """Keep `data` before the commit that names it; returns its SHA-256 in hex."""
    return stored_files().put(data)


def path_of(sha: str) -> Path:
    """The stored file as a file of this machine, to be read or mapped. Raises `MissingError`, wherever files are kept.

    The first call of a process reads all of it, and one after the file has changed: raises `DamagedError`.
    """
    files = stored_files()
    try:
        path = files.path_of(sha)
        state = path.stat()
        file = (state.st_ino, state.st_size, state.st_mtime_ns)
        if _compared.get(sha) != file:
            if not DiskStore(path.parent.parent).verify(sha):
                files.replace_damaged(sha)
            if len(_compared) >= MOST:
                _compared.clear()
            _compared[sha] = file
    except FileNotFoundError as fault:
        raise MissingError(sha) from fault
    return path


def verify(sha: str) -> bool:
    """Whether the stored file is there and has the bytes that it is named by."""
    return stored_files().verify(sha)


def incoming_file() -> Incoming:
    """A file that is written piece by piece, for `put`."""
    return stored_files().incoming()


def tidy_files() -> None:
    """Clear away what broke off on its way in a day ago or more, and what a cache need not keep."""
    stored_files().sweep_incoming(older_than=DAY)
