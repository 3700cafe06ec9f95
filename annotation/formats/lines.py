"""An uploaded stream as numbered lines of text: the one door through which every line format reads.

Gzip is recognised by its first two bytes, not by a name. Lines end at LF only (one CR before it is
dropped): NEL, U+2028 and a no-break space are text. UTF-8 is strict; a line that is not UTF-8 or is
too long is a problem and is left out, and reading goes on. What ends the reading at once: damaged
gzip, a file that grows beyond its limit, UTF-16, and other packings, which are recognised by their
first bytes.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from annotation.formats.fields import REPLACEMENT
from annotation.formats.foreign import START, foreign
from annotation.formats.problems import Problems

CHUNK, LARGE = 1 << 16, 1 << 18
BOMB, RATIO = 1 << 20, 500  # text unpacks to some five times its size, the same byte again and again to a thousand
UTF8 = frozenset({"utf-8", "utf8", "us-ascii", "ascii"})  # what files may declare as their encoding
RETURN = "a carriage return inside the line: lines must end with LF or CR LF"
_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_TELLING = 16  # bytes that tell what a file is; of a zip more


@dataclass(frozen=True)
class Limits:
    """In bytes, after unpacking. A small gzip that unpacks to more than `file` stops there, not in memory."""

    file: int = 4 << 30
    line: int = 8 << 20


DEFAULT_LIMITS = Limits()


class Aside(Protocol):
    """Who reads many lines at once where nothing about them is unusual."""

    def takes(self, text: bytes, line: int) -> bool:
        """Whether it has read these whole lines, of which the first is number `line`; the last has no line end."""


def read_lines(
    stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS, aside: Aside | None = None
) -> Iterator[tuple[int, str]]:
    """`(line number from 1, text without its line end)` for each readable line, blank ones included.

    NUL characters, which no database stores, become U+FFFD; a note says how many. Raises `FormatError` where reading on
    makes no sense (see above). Lines that `aside` takes are left out.
    """
    replaced = 0
    chunks = _checked_start(_unpacked(stream, problems, size=LARGE if aside else CHUNK), problems)
    for number, raw in _raw_lines(chunks, problems, limits, aside):
        text = _decoded(raw, number, problems)
        if text is None:
            continue
        if "\0" in text:
            replaced += text.count("\0")
            text = text.replace("\0", REPLACEMENT)
        yield number, text
    if replaced:
        note_replaced(problems, replaced)


def read_chunks(stream: BinaryIO, problems: Problems, *, size: int = CHUNK) -> Iterator[bytes]:
    """The unpacked bytes without a byte order mark, in pieces of up to about `size` bytes: for parsers that work on
    whole columns.
    """
    return _checked_start(_unpacked(stream, problems, size=size), problems)


def note_replaced(problems: Problems, count: int) -> None:
    """Report NUL characters that were replaced."""
    problems.note(0, f"{count} NUL character{'s were' if count > 1 else ' was'} replaced by U+FFFD")


def _decoded(raw: bytes, number: int, problems: Problems) -> str | None:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        problems.add(number, f"not UTF-8 at byte {error.start + 1} of the line (0x{raw[error.start]:02x})")
        return None


def _raw_lines(
    chunks: Iterator[bytes], problems: Problems, limits: Limits, aside: Aside | None
) -> Iterator[tuple[int, bytes]]:
    number, total, pending, skipping = 1, 0, bytearray(), False
    for chunk in chunks:
        total += len(chunk)
        if total > limits.file:
            raise problems.stop(0, f"larger than the limit of {limits.file} bytes (unpacked)")
        if aside and not skipping and b"\n" in chunk and len(pending) + len(chunk) <= limits.line:
            text, _, rest = (bytes(pending) + chunk).rpartition(b"\n")
            if aside.takes(text, number):
                number, pending = number + text.count(b"\n") + 1, bytearray(rest)
                continue
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            if not skipping and _fits(len(pending) + len(part), number, problems, limits):
                yield number, _without_cr(bytes(pending) + part)
            number, skipping = number + 1, False
            pending.clear()
        if not skipping:
            pending += rest
            skipping = not _fits(len(pending), number, problems, limits)
            if skipping:
                pending.clear()
    if pending:
        yield number, _without_cr(bytes(pending))


def _fits(length: int, number: int, problems: Problems, limits: Limits) -> bool:
    if length > limits.line:
        problems.add(number, f"the line is longer than the limit of {limits.line} bytes")
    return length <= limits.line


def _without_cr(raw: bytes) -> bytes:
    return raw[:-1] if raw.endswith(b"\r") else raw


def _checked_start(chunks: Iterator[bytes], problems: Problems) -> Iterator[bytes]:
    """Drop a UTF-8 byte order mark; refuse what is no text we read."""
    start = b""
    for chunk in chunks:
        start += chunk
        if len(start) >= (START if start.startswith(b"PK") else _TELLING):
            break
    if reason := foreign(start):
        raise problems.stop(0, reason)
    yield start.removeprefix(_BOM)
    yield from chunks


def _unpacked(stream: BinaryIO, problems: Problems, *, size: int = CHUNK) -> Iterator[bytes]:
    head = stream.read(CHUNK)
    while len(head) == 1:  # a raw stream may give one byte at first
        more = stream.read(CHUNK)
        if not more:
            break
        head += more
    if head.startswith(_GZIP):
        yield from _gunzipped(head, stream, problems)
        return
    while head:
        yield head
        head = stream.read(size)


def _gunzipped(head: bytes, stream: BinaryIO, problems: Problems) -> Iterator[bytes]:
    """Unpack in bounded pieces, one gzip member after another. Zero bytes after the last member are padding."""
    packed, unpacked = 0, 0
    for n_packed, piece in _unzipped(head, stream, problems):
        packed, unpacked = packed + n_packed, unpacked + len(piece)
        if unpacked > BOMB and unpacked > RATIO * packed:
            raise problems.stop(0, f"the gzip unpacks to more than {RATIO} times its size: this is no list of texts")
        yield piece


def _unzipped(head: bytes, stream: BinaryIO, problems: Problems) -> Iterator[tuple[int, bytes]]:
    """`(packed bytes that a piece took, piece)`."""
    member, data = zlib.decompressobj(wbits=31), head
    try:
        while data:
            piece = member.decompress(data, CHUNK)
            left = member.unused_data if member.eof else member.unconsumed_tail
            yield len(data) - len(left), piece
            data = left or stream.read(CHUNK)
            if member.eof:
                data = _after_padding(data, stream)
                member = zlib.decompressobj(wbits=31) if data else member
    except zlib.error as error:
        raise problems.stop(0, f"the gzip is damaged ({error})") from error
    if not member.eof:
        raise problems.stop(0, "the gzip is cut short: the upload or the file is incomplete")


def _after_padding(data: bytes, stream: BinaryIO) -> bytes:
    while data and not data.strip(b"\0"):
        data = stream.read(CHUNK)
    return data.lstrip(b"\0")
