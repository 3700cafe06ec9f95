"""The files in a tar, one after another, in bounded memory: as POSIX, GNU tar and others write them.

Python's own reader takes names and extended headers of any size into memory; this one reads what a document needs.
"""

import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from annotation.formats.fields import shown
from annotation.formats.lines import DEFAULT_LIMITS, read_chunks
from annotation.formats.problems import Problems

BLOCK = 512
MOST_MEMBERS = 1_000_000
MOST_HEADER = 1 << 20  # bytes of an extended header
MOST_SKIPPED = 256 << 20  # bytes of files that are not read, in all
MOST_PADDING = 1 << 20  # bytes behind the end
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_FILES = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)
_REFUSED = {
    tarfile.LNKTYPE: "a link",
    tarfile.SYMTYPE: "a link",
    tarfile.CHRTYPE: "a device",
    tarfile.BLKTYPE: "a device",
    tarfile.FIFOTYPE: "a pipe",
}


@dataclass(frozen=True)
class Member:
    """A file: its name with folders, its bytes, and which file of the archive it is, from 1."""

    name: str
    data: bytes
    place: int


def is_tar(head: bytes) -> bool:
    """Whether it begins with the header of a tar: one with a right checksum."""
    try:
        tarfile.TarInfo.frombuf(head[:BLOCK], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def members(stream: BinaryIO, problems: Problems) -> Iterator[Member]:
    """Its files, without folders. What is wrong with one is a problem, and reading goes on with the next.

    Raises `FormatError` for a damaged archive, and for one beyond the limits.
    """
    blocks = _Blocks(stream, problems)
    name, place, skipped = "", 0, 0
    while (header := blocks.header()) is not None:
        if header.type in (tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XGLTYPE):
            name = _longer_name(header, blocks.content(header, MOST_HEADER, "a header")) or name
            continue
        place += 1
        if place > MOST_MEMBERS:
            raise problems.stop(place, f"more than {MOST_MEMBERS} files in the archive")
        full, name = name or header.name, ""
        fault = _fault(full, header)
        if fault:
            problems.add(place, f"{shown(full)}: {fault}")
        if fault or header.isdir():
            size = 0 if header.type in _REFUSED else header.size
            skipped += size
            if skipped > MOST_SKIPPED:
                raise problems.stop(place, f"more than {MOST_SKIPPED} bytes in files that cannot be read")
            blocks.skip(size)
        else:
            yield Member(full, blocks.content(header, DEFAULT_LIMITS.line, shown(full)), place)


def _fault(name: str, header: tarfile.TarInfo) -> str | None:
    """Why this is not a document to take, or None."""
    parts = name.replace("\\", "/").split("/")
    if not name.isprintable():  # half a surrogate pair stands for a byte that is not UTF-8
        return "its name has characters that cannot be printed, or is not UTF-8"
    if name.startswith(("/", "\\")) or ".." in parts or _DRIVE.match(name):
        return "its path leads out of the archive"
    if header.isdir():
        return None
    if header.type not in _FILES:
        return f"{_REFUSED.get(header.type, 'something unknown')}, not a file"
    if header.size > DEFAULT_LIMITS.line:
        return f"longer than the limit of {DEFAULT_LIMITS.line} bytes"
    return None


def _longer_name(header: tarfile.TarInfo, content: bytes) -> str:
    """The name that an extended header gives the next file; empty where it gives none."""
    if header.type == tarfile.GNUTYPE_LONGNAME:
        return content.rstrip(b"\0").decode("utf-8", "surrogateescape")
    return _path_in(content) if header.type == tarfile.XHDTYPE else ""


def _path_in(records: bytes) -> str:
    """The `path` among the records `length key=value` of a POSIX header."""
    place, path = 0, ""
    while place < len(records):
        length, blank, _ = records[place : place + 12].partition(b" ")
        if not blank or not length.isdigit() or int(length) <= len(length) + 1:
            break
        record = records[place + len(length) + 1 : place + int(length)].removesuffix(b"\n")
        if record.startswith(b"path="):
            path = record.removeprefix(b"path=").decode("utf-8", "surrogateescape")
        place += int(length)
    return path


class _Blocks:
    """The archive as blocks of 512 bytes, unpacked as they are asked for."""

    def __init__(self, stream: BinaryIO, problems: Problems) -> None:
        self.problems = problems
        self.chunks = read_chunks(stream, problems)
        self.waiting = bytearray()
        self.read = 0

    def header(self) -> tarfile.TarInfo | None:
        """The next header, None at the end, which a block of zeros marks."""
        block = self.take(BLOCK)
        if len(block) == BLOCK and not block.strip(b"\0"):
            self._refuse_what_follows()
            return None
        try:
            header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except tarfile.HeaderError as error:
            raise self._cut() if len(block) < BLOCK else self._damaged() from error
        if header.size < 0:
            raise self._damaged()
        return header

    def content(self, header: tarfile.TarInfo, most: int, what: str) -> bytes:
        if header.size > most:
            raise self.problems.stop(0, f"{what} in the archive is longer than the limit of {most} bytes")
        data = self.take(header.size)
        self.skip(-header.size % BLOCK, rounded=False)
        if len(data) < header.size:
            raise self._cut()
        return data

    def skip(self, size: int, *, rounded: bool = True) -> None:
        left = size + (-size % BLOCK if rounded else 0)
        while left:
            step = len(self.take(min(left, 1 << 20)))
            if not step:
                raise self._cut()
            left -= step

    def take(self, size: int) -> bytes:
        """The next bytes, fewer at the end."""
        while len(self.waiting) < size and (chunk := next(self.chunks, b"")):
            self.waiting += chunk
            self.read += len(chunk)
            if self.read > DEFAULT_LIMITS.file:
                raise self.problems.stop(0, f"larger than the limit of {DEFAULT_LIMITS.file} bytes (unpacked)")
        taken = bytes(self.waiting[:size])
        del self.waiting[:size]
        return taken

    def _refuse_what_follows(self) -> None:
        """Zeros fill the last record; reading them to the end also checks the gzip."""
        behind = self.take(MOST_PADDING)
        if len(behind) == MOST_PADDING or behind.strip(b"\0"):
            raise self.problems.stop(0, "something follows behind the end of the archive")

    def _cut(self) -> Exception:
        return self.problems.stop(0, "the archive is cut short: the upload or the file is incomplete")

    def _damaged(self) -> Exception:
        return self.problems.stop(0, "the archive is damaged, or not a tar: a header is not right")
