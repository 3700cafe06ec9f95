"""The stores of this installation, as its settings say."""

from pathlib import Path
from typing import BinaryIO, TypeAlias

from django.conf import settings

from annotation.formats.store import Incoming
from annotation.kernel.store.disk import DiskStore
from annotation.kernel.store.objects import Bucket, ObjectStore

TRANSIT = "transit"
DAY = 86_400.0

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
    """The stored file as a file of this machine, to be read or mapped."""
    return stored_files().path_of(sha)


def verify(sha: str) -> bool:
    """Whether the stored file is there and has the bytes that it is named by."""
    return stored_files().verify(sha)


def incoming_file() -> Incoming:
    """A file that is written piece by piece, for `put`."""
    return stored_files().incoming()


def tidy_files() -> None:
    """Clear away what broke off on its way in a day ago or more, and what a cache need not keep."""
    stored_files().sweep_incoming(older_than=DAY)
