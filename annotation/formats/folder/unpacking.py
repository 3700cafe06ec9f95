"""Untrusted tars: read once, within limits; only plain files are unpacked, and only those that are asked for."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, BinaryIO, cast

from annotation.formats.bundle.zip_archive import ZipLimits, path_fault
from annotation.formats.fields import shown
from annotation.formats.file_formats import head_of
from annotation.formats.problems import FormatError, Problems
from annotation.formats.tar import Entry, TarLimits, entries
from annotation.formats.tar import is_tar as begins_tar


def is_tar(stream: BinaryIO) -> bool:
    """Whether a tar, plain or gzip, begins here; the stream stands at its beginning again."""
    try:
        return begins_tar(head_of(stream, Problems("")))
    except FormatError:
        return False
    finally:
        stream.seek(0)


@contextmanager
def unpacked_members(
    stream: BinaryIO, problems: Problems, limits: ZipLimits, *, is_member: Callable[[str], bool]
) -> Iterator[dict[str, BinaryIO | None]]:
    """The plain files of the tar by path: those wanted as temporary files, the others as None."""
    unpacked: dict[str, BinaryIO | None] = {}
    with ExitStack() as files:
        for entry in entries(stream, problems, TarLimits(limits.members, limits.unpacked)):
            name = entry.name.removeprefix("./")
            if entry.is_folder:
                continue
            fault = _fault(entry, name, unpacked)
            if fault:
                problems.add(0, f"the member {shown(entry.name)} {fault}")
            unpacked[name] = _copied(entry, files) if not fault and is_member(name) else None
        problems.check()
        yield unpacked


def _fault(entry: Entry, name: str, unpacked: dict[str, BinaryIO | None]) -> str | None:
    if not entry.is_file:
        return "is a link or a device, not a file"
    return path_fault(name) or ("stands twice" if name in unpacked else None)


def _copied(entry: Entry, files: ExitStack) -> BinaryIO:
    copy: IO[bytes] = files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 -- the stack closes it
    for piece in entry.pieces():
        copy.write(piece)
    return cast("BinaryIO", copy)
