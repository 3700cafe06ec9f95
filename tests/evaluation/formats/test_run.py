import gzip
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.formats import columns
from annotation.formats import lines as lines_module
from annotation.formats.lines import Limits
from annotation.formats.problems import FormatError, Problems
from evaluation.engine.run import RunTable
from evaluation.formats.run import trec as run_module
from evaluation.formats.run.trec import LAYOUT, parse_run


def parse(text: bytes) -> RunTable:
    return parse_run(io.BytesIO(text), Problems("a.run"))


def rows(text: bytes) -> list[tuple[str, str, float]]:
    table = parse(text)
    return list(zip((table.numbers[t] for t in table.topic), table.docno, table.score.tolist(), strict=True))


def faults(text: bytes) -> list[str]:
    with pytest.raises(FormatError) as caught:
        parse(text)
    return [str(problem) for problem in caught.value.problems]


def test_rows_keep_the_order_of_the_file_and_topics_that_of_their_bytes() -> None:
    table = parse(b"9 Q0 b 7 1.5 me\n10 Q0 a 0 -2 me\n9 Q0 a 1 2e3 me\n")
    assert (table.tag, table.numbers) == ("me", ("10", "9"))
    assert table.topic.tolist() == [1, 0, 1]
    assert list(table.docno) == ["b", "a", "a"]
    assert table.score.tolist() == [1.5, -2.0, 2000.0]


@pytest.mark.parametrize(
    "text",
    [
        b"1 Q0 a 1 2.5 me\n1 Q0 #b 2 1 me\n",
        b"1\tQ0\ta\t1\t2.5\tme\n1\tQ0\t#b\t2\t1\tme",
        b"# a comment\n1 Q0 a 9 2.5 me\r\n\r\n#1 Q0 c 3 1 you\n1 Q0 #b 9 1. me\r\n",
        b"\xef\xbb\xbf  1 Q0 a 1 +2.5 me \n\t1 \t Q0 #b x .1e1 me and more words\n",
        gzip.compress(b"1 Q0 a 1 2.5 me\n1 Q0 #b 2 1 me\n", mtime=0),
    ],
)
def test_all_ways_of_writing_the_same_rows(text: bytes) -> None:
    assert rows(text) == [("1", "a", 2.5), ("1", "#b", 1.0)]


def test_a_comment_is_a_line_that_starts_with_the_sign() -> None:
    assert rows(b" #1 Q0 a 1 2 me\n#2 Q0 a 1 2 me\n") == [("#1", "a", 2.0)]


@pytest.mark.parametrize(
    "score", ["nan", "inf", "-Infinity", "1e999", "1_000", "٣", "0x1p3", "1,5", "--1", "", "1e", "."]
)
def test_a_score_is_a_finite_decimal_number(score: str) -> None:
    messages = faults(f"1 Q0 ok 1 1 me\n1 Q0 a 1 {score} me\n".encode())
    expected = "6 fields expected (topic, iteration, docno, rank, score, tag), 5 found"
    assert messages == ["a.run:2: " + (f"the score {score!r} is not a finite decimal number" if score else expected)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"1 0 a 1", "6 fields expected (topic, iteration, docno, rank, score, tag), 4 found"),
        (b"1 Q0 a\0b 1 1 me", "control character 0x00 at byte 7 of the line"),
        (b"1 Q0 \xff 1 1 me", "not UTF-8 at byte 6 of the line (0xff)"),
        (b"1 Q0 a 1 1 me\r1 Q0 b 2 1 me", "a carriage return inside the line: lines must end with LF or CR LF"),
        (b"1 Q0 a 1 1 you", "the tag is 'you', but 'me' in line 1: a file holds one run"),
        (b"1 Q0 ok 2 0 me", "document 'ok' is already retrieved for topic '1' in line 1"),
    ],
)
def test_a_faulty_line_is_named(line: bytes, reason: str) -> None:
    assert faults(b"1 Q0 ok 1 1 me\n# said\n" + line + b"\n2 Q0 ok 1 1 me\n") == [f"a.run:3: {reason}"]


@pytest.mark.parametrize("text", [b"", b"# only a comment\n\n"])
def test_a_file_without_a_row_is_refused(text: bytes) -> None:
    assert faults(text) == ["a.run: no row in the file"]


SPACES = st.sampled_from(["\n", " ", "\t", "\r\n", "  ", "\n\n", "\r", "\n#", "\n #"])
FIELDS = st.sampled_from(["1", "Q0", "a", '"', "t", "#", "é", "\0", "1_0", "inf", "null"])
SCORES = st.text(alphabet="0123456789+-.eE_infax", min_size=1, max_size=9) | st.floats().map(repr)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.tuples(FIELDS, SPACES), max_size=14), st.lists(SCORES, max_size=4))
def test_both_readings_agree(pieces: list[tuple[str, str]], scores: list[str]) -> None:
    """Where the fast reading of a block gives rows, they are those of the careful one, which finds no fault."""
    good = "".join(f"{i} Q0 d{i} {i} {score} t\n" for i, score in enumerate(scores))
    block = columns.Block((good + "".join(f + s for f, s in pieces)).encode(), 5)
    quick = run_module._read_fast(block)
    if quick is not None:
        problems = Problems("x")
        careful = list(columns.read_carefully(block, LAYOUT, problems))
        assert not problems.kept
        numbers = [number for number, n in zip(quick.number, quick.length.tolist(), strict=True) for _ in range(n)]
        read = zip(quick.lines().tolist(), numbers, quick.docno, map(repr, quick.score.tolist()), strict=True)
        assert list(read) == [(line, f[0], f[2], repr(float(f[4]))) for line, f in careful]
        assert {f[5] for _, f in careful} == {quick.tag}


@pytest.mark.parametrize(
    "text",
    [
        "1 Q0 a 1 2 t\n2 Q0 b 1 2 t\n",
        "# x\n1\tQ0\ta\t1\t-2e3\tt\r\n\r\n2\tQ0\tb 1 2 t  \r\n",
        "1 Q0 文書一 1 2 t\n2 Q0 é 1 2 t and ü more\n",
        " #1 Q0 a 1 2 t\n",
        "1 Q0 a 1 0.12345678901234567890123 t\n2 Q0 a 1 -1e-5 t",
    ],
)
def test_plain_files_are_read_fast(text: str) -> None:
    """Otherwise a run of ten million rows would take minutes."""
    assert run_module._read_fast(columns.Block(text.encode(), 1)) is not None


@pytest.mark.parametrize(
    "line",
    [
        *(f"1 Q0 a 1 {score} t" for score in ("inf", "nan", "-inf", "1e999", "1_0", "x")),
        *(
            f"1 Q0 {docno} 1 2 t"
            for docno in ("a\0b", "a\x1cb", "a\x7fb", "a\u00a0b", "a\u200bb", "a\ufffdb", "x" * 201, "a\rb")
        ),
        *("1 Q0 a 1 2", "1", "1 Q0 a 1  t", "1 Q0 a 1 2 you", "1 Q0 a 1 2 tt"),
    ],
)
def test_what_is_not_plain_is_left_to_the_careful_reading(line: str) -> None:
    block = columns.Block(f"1 Q0 ok 1 2 t\n{line}\n".encode(), 1)
    assert run_module._read_fast(block) is None
    assert run_module._read_fast(columns.Block(b"1 Q0 ok 1 2 t\n1 Q0 \xff 1 2 t\n", 1)) is None


def test_a_long_file_goes_the_fast_way_with_the_same_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few hundred bytes; topics interleaved, so that each is cut by many blocks."""
    lines = [f"{i % 7} Q0 doc{i} {i} {i / 8} me\n" for i in range(2000)]
    expected = rows("".join(lines).encode())
    monkeypatch.setattr(lines_module, "CHUNK", 128)
    monkeypatch.setattr(columns.read_blocks, "__kwdefaults__", {"size": 300, "limits": Limits()})
    lines[3] += "# a comment, and a blank line\n\n"
    assert rows("".join(lines).encode()) == expected
    assert len(expected) == 2000
    lines[1900] = f"{50 % 7} Q0 doc50 1 1 me\n"
    assert faults("".join(lines).encode()) == [
        "a.run:1903: document 'doc50' is already retrieved for topic '1' in line 53"
    ]
    lines[1900:] = [f"1 Q0 of{i} 1 1 you\n" for i in range(100)]
    parts = [fault.partition(": the tag is 'you'") for fault in faults("".join(lines).encode())]
    assert [where for where, tag_fault, _ in parts if tag_fault] == [f"a.run:{line}" for line in range(1903, 2003)]
    lines[1000] = "1 Q0 other 1 1 you\n"
    assert faults("".join(lines).encode())[:1] == [
        "a.run:1003: the tag is 'you', but 'me' in line 1: a file holds one run"
    ]


def test_documents_of_one_key_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clash of the 63-bit keys costs time, never correctness."""
    monkeypatch.setattr("annotation.formats.text._mix", np.zeros_like)
    assert len(parse(b"1 Q0 a 1 2 t\n1 Q0 b 1 2 t\n1 Q0 c 1 2 t\n2 Q0 a 1 2 t\n")) == 4
    assert faults(b"1 Q0 a 1 2 t\n1 Q0 b 1 2 t\n1 Q0 a 1 2 t\n") == [
        "a.run:3: document 'a' is already retrieved for topic '1' in line 1"
    ]
