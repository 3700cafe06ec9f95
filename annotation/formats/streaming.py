"""Files made while they are sent, piece by piece, never whole in memory."""

import zlib
from collections.abc import Iterable, Iterator
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

SIZE = 1 << 16  # bytes of a piece, about
_GZIP = 31  # zlib's way of saying: with gzip's header and checksum
_NO_DATE = (1980, 1, 1, 0, 0, 0)


def gathered(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in fewer pieces: a response hands each on by itself."""
    pieces, size = list[bytes](), 0
    for line in lines:
        pieces.append(line)
        size += len(line)
        if size >= SIZE:
            yield b"".join(pieces)
            pieces, size = [], 0
    if pieces:
        yield b"".join(pieces)


def gzipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Packed with gzip. Without name and date: the same bytes give the same file."""
    packer = zlib.compressobj(wbits=_GZIP)
    yield from filter(None, map(packer.compress, pieces))
    yield packer.flush()


def zipped(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """A zip of `(name, pieces)`, each file read as it is packed. Without dates: the same files give the same bytes."""
    out = _Outgoing()
    with ZipFile(out, "w") as archive:
        for name, pieces in files:
            with archive.open(_entry(name), "w", force_zip64=True) as entry:
                for piece in pieces:
                    entry.write(piece)
                    if out.size >= SIZE:
                        yield out.take()
    yield out.take()


class _Outgoing:
    """What a zip is written to: it cannot go back, so that what is written may be sent at once."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.size = 0

    def write(self, data: bytes) -> int:
        self.pieces.append(bytes(data))
        self.size += len(data)
        return len(data)

    def flush(self) -> None:
        """Nothing waits here."""

    def close(self) -> None:
        """Nothing to close."""

    def take(self) -> bytes:
        data = b"".join(self.pieces)
        self.pieces, self.size = [], 0
        return data


def _entry(name: str) -> ZipInfo:
    entry = ZipInfo(name, date_time=_NO_DATE)
    entry.compress_type = ZIP_DEFLATED
    entry.external_attr = 0o644 << 16  # readable by all, where the zip is unpacked on Unix
    return entry
