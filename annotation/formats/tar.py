"""The entries of a tar, one after another, in bounded memory: as POSIX, GNU tar and others write them.

Python's own reader takes names and extended headers of any size into memory, and as many of them as
there are on the stack; this one reads what a document or a folder needs.
"""

import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from annotation.formats.lines import DEFAULT_LIMITS, read_chunks
from annotation.formats.problems import FormatError, Problems

BLOCK = 512
CHUNK = 1 << 20
MOST_HEADER = 1 << 20  # bytes of an extended header
MOST_PADDING = 1 << 20  # bytes behind the end
_FILES = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)
_POSIX = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
_EXTENDED = (*_POSIX, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XGLTYPE)
_WITHOUT_CONTENT = {
    tarfile.LNKTYPE: "a link",
    tarfile.SYMTYPE: "a link",
    tarfile.CHRTYPE: "a device",
    tarfile.BLKTYPE: "a device",
    tarfile.FIFOTYPE: "a pipe",
}


@dataclass(frozen=True)
class TarLimits:
    """`unpacked` in bytes of the whole archive, out of its gzip."""

    entries: int = 1_000_000
    unpacked: int = DEFAULT_LIMITS.file


DEFAULT = TarLimits()


class Entry:
    """A file, a folder or something else. Its content can be read until the next entry is asked for.

    `number`: which entry of the archive it is, from 1. `kind` says what it is where it is neither file nor folder.
    """

    def __init__(self, name: str, header: tarfile.TarInfo, number: int, blocks: "_Blocks") -> None:
        self.name, self.number = name, number
        self.is_file, self.is_folder = header.type in _FILES, header.isdir()
        self.kind = "" if self.is_file or self.is_folder else _WITHOUT_CONTENT.get(header.type, "something unknown")
        self.size = 0 if header.type in _WITHOUT_CONTENT else header.size
        self._blocks, self._left = blocks, self.size

    def pieces(self) -> Iterator[bytes]:
        """What has not been read of its content, piece by piece. Raises `FormatError` where the archive ends before."""
        while self._left:
            piece = self._blocks.take(min(self._left, CHUNK))
            if not piece:
                raise self._blocks.cut()
            self._left -= len(piece)
            yield piece

    def pass_by(self) -> None:
        """What is left of it, and what fills its last block."""
        for _ in self.pieces():
            pass
        self._blocks.fill(self.size)


def is_tar(head: bytes) -> bool:
    """Whether it begins with the header of a tar: one with a right checksum."""
    try:
        tarfile.TarInfo.frombuf(head[:BLOCK], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def entries(stream: BinaryIO, problems: Problems, limits: TarLimits = DEFAULT) -> Iterator[Entry]:
    """Its entries in their order. Raises `FormatError` for a damaged archive, and for one beyond the limits."""
    blocks = _Blocks(stream, problems, limits.unpacked)
    name, number = "", 0
    while (header := blocks.header()) is not None:
        if header.type in _EXTENDED:
            name = _longer_name(header, blocks.extended(header)) or name
            continue
        number += 1
        if number > limits.entries:
            raise problems.stop(number, f"more than {limits.entries} files in the archive")
        entry, name = Entry(name or header.name, header, number, blocks), ""
        yield entry
        entry.pass_by()


def _longer_name(header: tarfile.TarInfo, content: bytes) -> str:
    """The name that an extended header gives the next file; empty where it gives none."""
    if header.type == tarfile.GNUTYPE_LONGNAME:
        return content.rstrip(b"\0").decode("utf-8", "surrogateescape")
    return _path_in(content) if header.type in _POSIX else ""


def _path_in(records: bytes) -> str:
    """The `path` among the records `length key=value` of a POSIX header."""
    offset, path = 0, ""
    while offset < len(records):
        length, blank, _ = records[offset : offset + 12].partition(b" ")
        if not blank or not length.isdigit() or int(length) <= len(length) + 1:
            break
        record = records[offset + len(length) + 1 : offset + int(length)].removesuffix(b"\n")
        if record.startswith(b"path="):
            path = record.removeprefix(b"path=").decode("utf-8", "surrogateescape")
        offset += int(length)
    return path


class _Blocks:
    """The archive as blocks of 512 bytes, unpacked as they are asked for."""

    def __init__(self, stream: BinaryIO, problems: Problems, limit: int) -> None:
        self.problems, self.limit = problems, limit
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
            raise self.cut() if len(block) < BLOCK else self._damaged() from error
        if header.size < 0:
            raise self._damaged()
        return header

    def extended(self, header: tarfile.TarInfo) -> bytes:
        """What an extended header holds."""
        if header.size > MOST_HEADER:
            raise self.problems.stop(0, f"a header in the archive is longer than the limit of {MOST_HEADER} bytes")
        data = self.take(header.size)
        if len(data) < header.size:
            raise self.cut()
        self.fill(header.size)
        return data

    def fill(self, size: int) -> None:
        """Go on to the next block behind so many bytes."""
        behind = -size % BLOCK
        if len(self.take(behind)) < behind:
            raise self.cut()

    def take(self, size: int) -> bytes:
        """The next bytes, fewer at the end."""
        while len(self.waiting) < size and (chunk := next(self.chunks, b"")):
            self.waiting += chunk
            self.read += len(chunk)
            if self.read > self.limit:
                raise self.problems.stop(0, f"larger than the limit of {self.limit} bytes (unpacked)")
        piece = bytes(self.waiting[:size])
        del self.waiting[:size]
        return piece

    def cut(self) -> FormatError:
        return self.problems.stop(0, "the archive is cut short: the upload or the file is incomplete")

    def _refuse_what_follows(self) -> None:
        """Zeros fill the last record; reading them to the end also checks the gzip."""
        behind = self.take(MOST_PADDING)
        if len(behind) == MOST_PADDING or behind.strip(b"\0"):
            raise self.problems.stop(0, "something follows behind the end of the archive")

    def _damaged(self) -> FormatError:
        return self.problems.stop(0, "the archive is damaged, or not a tar: a header is not right")
