"""Reading a stream as lines: packing, encodings, line ends, limits."""

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.lines import CHUNK, Limits, read_lines
from annotation.formats.problems import FormatError, Problems


def read(data: bytes, limits: Limits | None = None) -> tuple[list[tuple[int, str]], Problems]:
    problems = Problems("file.txt")
    return list(read_lines(io.BytesIO(data), problems, limits or Limits())), problems


def refusal(data: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(FormatError) as caught:
        read(data, limits)
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"a", [(1, "a")]),
        (b"a\nb\n", [(1, "a"), (2, "b")]),
        (b"a\r\nb\r\n", [(1, "a"), (2, "b")]),
        (b"a\n\nb", [(1, "a"), (2, ""), (3, "b")]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb", [(1, "a"), (2, "\ufeffb")]),
        ("a\u2028b\u0085c\u00a0d\x0be\n".encode(), [(1, "a\u2028b\u0085c\u00a0d\x0be")]),
        (b"a\rb\n", [(1, "a\rb")]),
    ],
)
def test_lines_end_at_lf_only(data: bytes, expected: list[tuple[int, str]]) -> None:
    lines, problems = read(data)
    assert lines == expected
    assert (list(problems), problems.notes) == ([], [])


def test_gzip_is_known_by_its_bytes_and_may_have_members_and_padding() -> None:
    packed = gzip.compress(b"a\nb") + gzip.compress(b"c\n") + b"\0" * 100
    assert read(packed)[0] == [(1, "a"), (2, "bc")]


def test_a_large_gzip_reads_as_its_content() -> None:
    content = b"".join(b"%d line\n" % i for i in range(50_000))
    assert read(gzip.compress(content)) == read(content)
    assert len(content) > 5 * CHUNK


def test_a_stream_that_gives_one_byte_at_a_time() -> None:
    class Drop(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(1 if size else 0)

    problems = Problems("f")
    assert list(read_lines(Drop(gzip.compress(b"a\nb\n")), problems)) == [(1, "a"), (2, "b")]
    assert list(read_lines(Drop(b"\xef\xbb\xbfa\nb\n"), problems)) == [(1, "a"), (2, "b")]


@pytest.mark.parametrize("kept", [3, 12, 40, -1])
def test_a_gzip_cut_short_is_said_to_be(kept: int) -> None:
    whole = gzip.compress(bytes(range(32, 127)) * 3)
    assert refusal(whole[:kept]) == "file.txt: the gzip is cut short: the upload or the file is incomplete"


def test_a_damaged_gzip_is_said_to_be() -> None:
    whole = bytearray(gzip.compress(b"some text\n" * 100))
    whole[-6] ^= 0xFF  # in the checksum
    assert "the gzip is damaged" in refusal(bytes(whole))
    assert "the gzip is damaged" in refusal(gzip.compress(b"a\n") + b"rubbish")


def test_utf16_is_named() -> None:
    assert refusal("1\ttitle\n".encode("utf-16")) == "file.txt: this is UTF-16; save it as UTF-8"


def test_a_line_that_is_not_utf8_is_a_problem_and_reading_goes_on() -> None:
    lines, problems = read(b"a\nb\xe9t\xe9\nc\n\xed\xa0\x80\n")
    assert lines == [(1, "a"), (3, "c")]
    assert [str(p) for p in problems] == [
        "file.txt:2: not UTF-8 at byte 2 of the line (0xe9)",
        "file.txt:4: not UTF-8 at byte 1 of the line (0xed)",
    ]


@pytest.mark.parametrize(
    ("pack", "reason"),
    [
        (gzip.compress, "this was packed with gzip twice; unpack it once"),
        (bz2.compress, "this was packed with bzip2; unpack it, or pack it with gzip instead"),
        (lzma.compress, "this was packed with xz; unpack it, or pack it with gzip instead"),
        (lambda _: b"PK\x03\x04\x14\0", "this is a zip archive; unpack it, or pack the file with gzip instead"),
        (lambda _: b"\x28\xb5\x2f\xfd\0", "this was packed with zstd; unpack it, or pack it with gzip instead"),
    ],
    ids=["gzip", "bzip2", "xz", "zip", "zstd"],
)
def test_another_packing_is_called_by_its_name(pack: Callable[[bytes], bytes], reason: str) -> None:
    packed = gzip.compress(pack(b"1\ttitle\n"))
    assert refusal(packed) == f"file.txt: {reason}"


def test_nul_is_replaced_and_reported() -> None:
    lines, problems = read(b"a\0b\n\0\0\n")
    assert lines == [(1, "a\ufffdb"), (2, "\ufffd\ufffd")]
    assert [str(note) for note in problems.notes] == ["file.txt: 3 NUL characters were replaced by U+FFFD"]
    assert not problems


@pytest.mark.parametrize("length", [11, CHUNK + 5, 3 * CHUNK])
def test_a_line_over_the_limit_is_left_out_and_counted(length: int) -> None:
    lines, problems = read(b"a\n" + b"x" * length + b"\n0123456789\nb", Limits(line=10))
    assert lines == [(1, "a"), (3, "0123456789"), (4, "b")]
    assert [str(p) for p in problems] == ["file.txt:2: the line is longer than the limit of 10 bytes"]


def test_a_last_line_over_the_limit_without_an_end() -> None:
    lines, problems = read(b"a\n" + b"x" * (2 * CHUNK), Limits(line=10))
    assert (lines, problems.total) == ([(1, "a")], 1)


def test_the_limit_of_a_file_is_that_of_its_content() -> None:
    bomb = gzip.compress(b"\n" * 5_000_000)
    assert len(bomb) < 10_000
    assert refusal(bomb, Limits(file=1_000_000)) == "file.txt: larger than the limit of 1000000 bytes (unpacked)"
    assert len(read(gzip.compress(b"\n" * 1_000_000), Limits(file=1_000_000))[0]) == 1_000_000


def test_a_bomb_is_known_long_before_the_limit() -> None:
    words = "the gzip unpacks to more than 500 times its size: this is no list of texts"
    assert refusal(gzip.compress(b"a\n" + b" " * (100 << 20))) == f"file.txt: {words}"
    assert refusal(gzip.compress(b" " * (1 << 19)) * 20) == f"file.txt: {words}"
    assert len(read(gzip.compress(b"a rather dull line of text\n" * 100_000))[0]) == 100_000


@given(st.lists(st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=["Cs"]))), st.booleans())
def test_whatever_is_written_is_read(texts: list[str], packed: bool) -> None:
    data = "".join(f"{text}\n" for text in texts).encode()
    if data.startswith((b"\xef\xbb\xbf", b"\x1f\x8b")):
        return
    lines, problems = read(gzip.compress(data) if packed else data)
    assert lines == list(enumerate(texts, 1))
    assert not problems


def test_line_numbers_rise() -> None:
    lines, _ = read(b"x\n" * 10_000)
    assert all(after[0] == before[0] + 1 for before, after in pairwise(lines))
