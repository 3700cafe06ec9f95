"""Tars from strangers: gone through once, within limits; only plain files count, and only those that are wanted."""

import gzip
import io
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, BinaryIO, cast

from annotation.formats.bundle.zipped import ZipLimits, path_fault
from annotation.formats.fields import shown
from annotation.formats.problems import Problems

CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"
_BLOCK = 512
_MARK = slice(257, 262)  # where a tar says "ustar"


class _TooLarge(Exception):  # noqa: N818 -- an answer, not an error
    """More bytes than the limits allow came out of the packing; the message says which limit."""


class _Counted(io.RawIOBase):
    """A stream that ends with `_TooLarge` beyond the limits. `packed` is what it is unpacked from, if anything."""

    def __init__(self, stream: BinaryIO, limits: ZipLimits, packed: BinaryIO | None) -> None:
        self.stream, self.limits, self.packed, self.unpacked = stream, limits, packed, 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self.stream.read(size)
        self.unpacked += len(data)
        if self.unpacked > self.limits.unpacked:
            raise _TooLarge(f"larger than the limit of {self.limits.unpacked} bytes (unpacked)")
        if self.packed and self.unpacked > max(self.limits.small, self.limits.ratio * self.packed.tell()):
            raise _TooLarge(f"the gzip unpacks to more than {self.limits.ratio} times its size")
        return data


def is_tar(stream: BinaryIO) -> bool:
    """Whether a tar, plain or gzip, begins here; the stream stands at its beginning again."""
    try:
        head = stream.read(2)
        stream.seek(0)
        block = (gzip.GzipFile(fileobj=stream) if head == _GZIP else stream).read(_BLOCK)
    except (OSError, EOFError, zlib.error):
        return False
    finally:
        stream.seek(0)
    return len(block) == _BLOCK and block[_MARK] == b"ustar"


@contextmanager
def unpacked_members(
    stream: BinaryIO, problems: Problems, limits: ZipLimits, *, wanted: Callable[[str], bool]
) -> Iterator[dict[str, BinaryIO | None]]:
    """The plain files of the tar by path: those wanted as temporary files, the others as None."""
    packed = stream.read(2) == _GZIP
    stream.seek(0)
    inner = cast("BinaryIO", gzip.GzipFile(fileobj=stream)) if packed else stream
    counted = cast("BinaryIO", _Counted(inner, limits, stream if packed else None))
    with ExitStack() as files:
        try:
            with tarfile.open(fileobj=counted, mode="r|") as tar:
                found = _members(tar, problems, limits, files, wanted)
        except _TooLarge as fault:
            raise problems.stop(0, str(fault)) from None
        except (tarfile.TarError, OSError, EOFError, zlib.error, ValueError, OverflowError) as fault:
            raise problems.stop(0, f"the tar is damaged or cut short ({fault})") from fault
        problems.check()
        yield found


def _members(
    tar: tarfile.TarFile, problems: Problems, limits: ZipLimits, files: ExitStack, wanted: Callable[[str], bool]
) -> dict[str, BinaryIO | None]:
    found: dict[str, BinaryIO | None] = {}
    for number, member in enumerate(tar, 1):
        name = member.name.removeprefix("./")
        if number > limits.members:
            raise tarfile.TarError(f"more than {limits.members} members")
        if member.isdir():
            continue
        fault = _fault(member, name, found)
        if fault:
            problems.add(0, f"the member {shown(member.name)} {fault}")
            found[name] = None
        else:
            found[name] = _copied(tar, member, files) if wanted(name) else None
    return found


def _fault(member: tarfile.TarInfo, name: str, found: dict[str, BinaryIO | None]) -> str | None:
    if not member.isreg():
        return "is a link or a device, not a file"
    return path_fault(name) or ("stands twice" if name in found else None)


def _copied(tar: tarfile.TarFile, member: tarfile.TarInfo, files: ExitStack) -> BinaryIO:
    copy: IO[bytes] = files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 -- the stack closes it
    source = tar.extractfile(member)
    assert source is not None
    while data := source.read(CHUNK):
        copy.write(data)
    if copy.tell() != member.size:
        raise EOFError(f"{shown(member.name)} is cut short")
    return cast("BinaryIO", copy)
