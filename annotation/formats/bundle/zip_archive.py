"""Untrusted zip archives: checked before anything is unpacked, with limits on everything that can grow."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from annotation.formats.fields import shown
from annotation.formats.problems import Problems

MAGIC = b"PK\x03\x04"
_END, _END64, _PLACE64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_TAIL = (1 << 16) + 22  # the end record and the longest comment
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_ENCRYPTED = 0x1
_DAMAGE = (  # what it comes to in the reader of Python: places before the beginning, unknown methods, wrong checks
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, NotImplementedError, RuntimeError),
    *(ValueError, OverflowError),
)


@dataclass(frozen=True)
class ZipLimits:
    """`directory` and `unpacked` in bytes. `ratio` holds for members that unpack to more than `small` bytes."""

    members: int = 20_000
    directory: int = 16 << 20
    unpacked: int = 64 << 30
    ratio: int = 400
    small: int = 16 << 20


ZIP_LIMITS = ZipLimits()


def open_zip(stream: BinaryIO, problems: Problems, limits: ZipLimits = ZIP_LIMITS) -> zipfile.ZipFile:
    """The archive, of which every member is a plain file within the limits. Raises `FormatError` for any other."""
    size = stream.seek(0, 2)
    directory = _directory_size(stream, size)
    if directory is None:
        raise problems.stop(0, "this is no zip archive, or it is cut short")
    if directory > limits.directory:
        raise problems.stop(0, f"the list of members takes {directory} bytes, at most {limits.directory} are allowed")
    stream.seek(0)
    try:
        archive = zipfile.ZipFile(stream)
    except _DAMAGE as fault:
        raise problems.stop(0, f"the zip archive is damaged ({fault})") from fault
    members = archive.infolist()
    if len(members) > limits.members:
        raise problems.stop(0, f"{len(members)} members, at most {limits.members} are allowed")
    _check_names(members, problems)
    for member in members:
        _check_member(member, problems, limits)
    if sum(member.compress_size for member in members) > size:
        problems.add(0, "the members overlap")
    if sum(member.file_size for member in members) > limits.unpacked:
        problems.add(0, f"larger than the limit of {limits.unpacked} bytes (unpacked)")
    problems.check()
    return archive


class ZipMember(io.BufferedIOBase):
    """A member of an archive, unpacked as it is read. Raises `FormatError` where it is damaged."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self.problems = Problems(name)
        with self._refusing():
            self.inner = archive.open(name)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        with self._refusing():
            return self.inner.read(-1 if size is None else size)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        with self._refusing():
            return self.inner.seek(offset, whence)

    def tell(self) -> int:
        return self.inner.tell()

    def close(self) -> None:
        self.inner.close()
        super().close()

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except _DAMAGE as fault:
            raise self.problems.stop(0, f"the member is damaged ({fault})") from fault


def _directory_size(stream: BinaryIO, size: int) -> int | None:
    """Bytes of the list of members, as the end of the archive says; None where there is no such end."""
    stream.seek(max(0, size - _TAIL))
    tail = stream.read()
    end = tail.rfind(_END)
    if end < 0 or len(tail) < end + 22:
        return None
    if tail[max(0, end - 20) : end].startswith(_PLACE64):
        (at,) = struct.unpack_from("<Q", tail, end - 12)
        if at > size:
            return None
        stream.seek(at)
        record = stream.read(56)
        if len(record) < 56 or not record.startswith(_END64):
            return None
        return int(struct.unpack_from("<Q", record, 40)[0])
    return int(struct.unpack_from("<I", tail, end + 12)[0])


def _check_names(members: list[zipfile.ZipInfo], problems: Problems) -> None:
    names = set[str]()
    for member in members:
        if member.filename in names:
            problems.add(0, f"the member {shown(member.filename)} stands twice")
        names.add(member.filename)


def _check_member(member: zipfile.ZipInfo, problems: Problems, limits: ZipLimits) -> None:
    fault = path_fault(member.filename)
    if not fault and member.flag_bits & _ENCRYPTED:
        fault = "is encrypted"
    if not fault and member.compress_type not in _METHODS:
        fault = "is packed in a way that is not read here: pack with deflate"
    if not fault and (member.external_attr >> 16) & 0o170000 not in (0, 0o100000, 0o040000):
        fault = "is a link or a device, not a file"
    if not fault and member.file_size > limits.small and member.file_size > limits.ratio * member.compress_size:
        fault = f"unpacks to more than {limits.ratio} times its size"
    if fault:
        problems.add(0, f"the member {shown(member.filename)} {fault}")


def path_fault(name: str) -> str | None:
    """Why a member of an archive may not be called so, or None: no path that leads out, nothing unseen."""
    parts = name.removesuffix("/").split("/")
    if not name.isprintable() or "\\" in name or ":" in name:
        return "has a name with characters that are not allowed"
    if name.startswith("/") or any(part in ("", ".", "..") for part in parts):
        return "has a name that leads out of the archive"
    return None
