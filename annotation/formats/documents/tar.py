"""The files in a tar that may be documents, one after another, in bounded memory."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from annotation.formats.fields import shown
from annotation.formats.lines import DEFAULT_LIMITS
from annotation.formats.problems import Problems
from annotation.formats.tar import Entry, entries, is_tar

MOST_SKIPPED = 256 << 20  # bytes of files that are not read, in all
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")

__all__ = ["Member", "is_tar", "members"]


@dataclass(frozen=True)
class Member:
    """A file: its name with folders, its bytes, and which file of the archive it is, from 1."""

    name: str
    data: bytes
    number: int


def members(stream: BinaryIO, problems: Problems) -> Iterator[Member]:
    """Its files, without folders. What is wrong with one is a problem, and reading goes on with the next.

    Raises `FormatError` for a damaged archive, and for one beyond the limits.
    """
    skipped = 0
    for entry in entries(stream, problems):
        fault = _fault(entry)
        if fault:
            problems.add(entry.number, f"{shown(entry.name)}: {fault}")
        if not fault and not entry.is_folder:
            yield Member(entry.name, b"".join(entry.pieces()), entry.number)
            continue
        skipped += entry.size
        if skipped > MOST_SKIPPED:
            raise problems.stop(entry.number, f"more than {MOST_SKIPPED} bytes in files that cannot be read")


def _fault(entry: Entry) -> str | None:
    """Why this is not a document to take, or None."""
    name = entry.name
    parts = name.replace("\\", "/").split("/")
    if not name.isprintable():  # half a surrogate pair stands for a byte that is not UTF-8
        return "its name has characters that cannot be printed, or is not UTF-8"
    if name.startswith(("/", "\\")) or ".." in parts or _DRIVE.match(name):
        return "its path leads out of the archive"
    if entry.is_folder:
        return None
    if not entry.is_file:
        return f"{entry.kind}, not a file"
    if entry.size > DEFAULT_LIMITS.line:
        return f"longer than the limit of {DEFAULT_LIMITS.line} bytes"
    return None
