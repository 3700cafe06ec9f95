"""Files made while they are sent."""

import gzip
import io
import tracemalloc
import zipfile
from collections.abc import Iterator
from itertools import islice
from random import Random

from annotation.formats.streaming import SIZE, gathered, gzipped, zipped


def endless() -> Iterator[bytes]:
    """A kilobyte at a time, never the same twice."""
    for n in range(10**9):
        yield b"%d\n" % (n * 7919 % 1000003) + Random(n).randbytes(1 << 10)


def test_gathered_is_the_same_in_fewer_pieces() -> None:
    lines = [b"%d\n" % n for n in range(50_000)]
    pieces = list(gathered(lines))
    assert b"".join(pieces) == b"".join(lines)
    assert {SIZE <= len(piece) < SIZE + 10 for piece in pieces[:-1]} == {True}
    assert list(gathered([])) == []


def test_gzip_opens_and_is_always_the_same() -> None:
    pieces = [b"one\n", b"", b"two\n" * 1000]
    packed = b"".join(gzipped(pieces))
    assert gzip.decompress(packed) == b"".join(pieces)
    assert b"".join(gzipped(pieces)) == packed


def test_a_zip_opens_and_is_always_the_same() -> None:
    files = [("a/one.txt", [b"1", b"", b"23"]), ("empty", []), ("ünï", [b"x" * 200_000])]
    packed = b"".join(zipped(files))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.testzip() is None
        contents = {name: archive.read(name) for name in archive.namelist()}
    assert contents == {name: b"".join(pieces) for name, pieces in files}
    assert b"".join(zipped(files)) == packed


def test_all_of_them_begin_before_the_end_and_hold_little() -> None:
    tracemalloc.start()
    for stream in (gathered(endless()), gzipped(endless()), zipped([("a", endless())])):
        taken = sum(len(piece) for piece in islice(stream, 160))
        assert taken > 0
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 << 20
