import gzip
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.formats import columns
from annotation.formats import lines as lines_module
from annotation.formats.lines import Limits
from annotation.formats.problems import FormatError, Problems
from annotation.formats.qrels import QrelsTable, parse_qrels, trec, write_qrels, write_table

Rows = list[tuple[str, str, int]]

IDS = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="\ufffd"), min_size=1, max_size=20)


def parse(text: bytes) -> QrelsTable:
    return parse_qrels(io.BytesIO(text), Problems("a.qrels"))


def rows(text: bytes) -> Rows:
    return list(parse(text).rows())


def faults(text: bytes) -> list[str]:
    with pytest.raises(FormatError) as caught:
        parse(text)
    return [str(problem) for problem in caught.value.problems]


def test_rows_keep_the_order_of_the_file() -> None:
    table = parse(b"9 0 b 2\n10 Q0 a -1\n9 4.5 a 0\n")
    assert (table.number, table.docno, table.grade.tolist()) == (["9", "10", "9"], ["b", "a", "a"], [2, -1, 0])
    assert table.grade.dtype == "int64"
    assert len(table) == 3


@pytest.mark.parametrize(
    "text",
    [
        b"1 0 a 2\n1 0 b 0\n",
        b"1 0 a 2\n1 0 b 0",
        b"1\t0\ta\t2\r\n1\t0\tb\t0\r\n",
        b"\xef\xbb\xbf1 0 a 2\n1 0 b 0\n",
        b"\n  1 \t 0   a\t2  \n\n \t \n1\x0b0\x0cb 0\r\n\n",
        gzip.compress(b"1 0 a 2\n1 0 b 0\n", mtime=0),
        gzip.compress(b"1 0 a 2\n1 ", mtime=0) + gzip.compress(b"0 b 0\n", mtime=0),
        b"1 0 a +2\n1 0 b -0\n",
        b"# judged in May\n#\n1 0 a 2\n#1 0 c 2\n1 0 b 0\n#",
    ],
)
def test_all_ways_of_writing_the_same_rows(text: bytes) -> None:
    assert rows(text) == [("1", "a", 2), ("1", "b", 0)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"1 0 a 0.7", "the grade '0.7' is not a whole number"),
        (b"1 0 a 1_0", "the grade '1_0' is not a whole number"),
        ("1 0 a ٣".encode(), "the grade '٣' is not a whole number"),
        (b"1 0 a 1e2", "the grade '1e2' is not a whole number"),
        (b"1 0 a 0x1", "the grade '0x1' is not a whole number"),
        (b"1 0 a 99999999999", "the grade '99999999999' is beyond ±999999999"),
        (b"1 0 a", "4 fields expected (topic, iteration, docno, grade), 3 found"),
        (b"1 Q0 a 1 2.5 tag", "4 fields expected (topic, iteration, docno, grade), 6 found"),
        (b"1 0 a\0b 1", "control character 0x00 at byte 6 of the line"),
        (b"1 0 a 1\r2 0 b 1", "a carriage return inside the line: lines must end with LF or CR LF"),
        (b"1 0 \xff 1", "not UTF-8 at byte 5 of the line (0xff)"),
        ("1 0 a\u00a0b 1".encode(), "the docno 'a\\xa0b' contains white space"),
        ("1 0 a\u2028b 1".encode(), "the docno 'a\\u2028b' contains white space"),
        (b"1 0 " + b"x" * 201 + b" 1", "the docno is 201 characters long, at most 200 are allowed"),
    ],
)
def test_a_faulty_line_is_named(line: bytes, reason: str) -> None:
    assert faults(b"1 0 ok 1\n\n" + line + b"\n2 0 ok 1\n") == [f"a.qrels:3: {reason}"]


def test_a_pair_twice_is_refused_naming_both_lines() -> None:
    assert faults(b"1 0 a 1\n2 0 a 1\n\n1 0 a 1\n") == [
        "a.qrels:4: document 'a' is already judged for topic '1' in line 1"
    ]


def test_every_fault_is_reported_at_once() -> None:
    assert [fault.split(":")[1] for fault in faults(b"1 0 a x\n1 0 b 1\n1 0 b\n1 0 b 2\n")] == ["1", "3", "4"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "no judged pair in the file"),
        (b"\n \n", "no judged pair in the file"),
        (gzip.compress(b"1 0 a 1\n" * 9, mtime=0)[:-9], "the gzip is cut short: the upload or the file is incomplete"),
        ("1 0 a 1\n".encode("utf-16"), "this is UTF-16; save it as UTF-8"),
    ],
)
def test_a_file_that_cannot_be_used(text: bytes, reason: str) -> None:
    assert faults(text) == [f"a.qrels: {reason}"]


def test_a_file_beyond_the_limit_is_refused_while_unpacking() -> None:
    packed = gzip.compress(b"1 0 a 1\n" * 100_000)
    with pytest.raises(FormatError, match="larger than the limit of 1000 bytes"):
        parse_qrels(io.BytesIO(packed), Problems("a"), Limits(file=1000))


def test_what_is_written_reads_back_and_has_one_order() -> None:
    triples = [("9", "b", 2), ("10", "é", -1), ("10", "z", 0), ("9", "B", 1)]
    text = write_qrels(triples)
    assert text == "10 0 z 0\n10 0 é -1\n9 0 B 1\n9 0 b 2\n".encode()
    assert write_qrels(reversed(triples)) == text
    assert sorted(rows(text)) == sorted(triples)


def test_a_topic_number_may_start_with_the_sign_of_a_comment() -> None:
    triples = [("#1", "#a", 1), ("1", "#", 0)]
    assert rows(write_qrels(triples)) == triples


@given(st.lists(st.tuples(IDS, IDS, st.integers(-3, 4)), max_size=20, unique_by=lambda row: row[:2]))
def test_a_table_is_written_as_its_rows_are(rows: list[tuple[str, str, int]]) -> None:
    text = "".join(f" {number} 0 {docno} {grade}\n" for number, docno, grade in rows)
    if rows:
        table = parse_qrels(io.BytesIO(text.encode()), Problems("qrels"))
        assert write_table(table) == write_qrels(rows) == write_qrels(table.rows())
        assert table.first(3) == rows[:3]


def test_writing_a_pair_twice_is_an_error() -> None:
    with pytest.raises(ValueError, match="'a' occurs twice for topic '1'"):
        write_qrels([("1", "a", 2), ("1", "a", 3)])


SPACES = st.sampled_from(["\n", " ", "\t", "\r\n", "  ", "\n\n", "\r", "\x0b"])
FIELDS = st.sampled_from(
    ["1", "Q0", "a", "b", "-1", "+1", "01", "1.0", "#", '"', "١", "1_0", "\0", "é", "\x85", "7" * 12]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(FIELDS, SPACES), max_size=24), st.integers(0, 3))
def test_both_readings_agree(pieces: list[tuple[str, str]], n_good: int) -> None:
    """Where the fast reading of a block gives rows, they are those of the careful one, which finds no fault."""
    good = "".join(f"{i} 0 d{i} {i}\n" for i in range(n_good))
    block = columns.Block((good + "".join(f + s for f, s in pieces)).encode(), 1)
    table = trec._read_fast(block)
    if table is not None:
        problems = Problems("x")
        careful = list(columns.read_carefully(block, trec.LAYOUT, problems))
        assert not problems.kept
        read = zip(table.line.tolist(), table.number, table.docno, table.grade.tolist(), strict=True)
        assert list(read) == [(line, f[0], f[2], int(f[3])) for line, f in careful]


def test_a_long_file_goes_the_fast_way_with_the_same_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few hundred bytes, all read fast but the one that holds the fault."""
    lines = [f"{i // 50} 0 doc{i} {i % 5}\n" for i in range(2000)]
    expected = rows("".join(lines).encode())
    monkeypatch.setattr(lines_module, "CHUNK", 128)
    monkeypatch.setattr(columns.read_blocks, "__kwdefaults__", {"size": 300, "limits": Limits()})
    assert rows("".join(lines).encode()) == expected
    assert len(expected) == 2000
    lines[1500] = "\n"
    lines[1700] = "30 0 doc1699 1\n"
    lines[1701] = "34 0 doc1700 1\n"
    lines[1702] = "34 0 doc1701 one\n"
    lines[1999] = "33 0 doc1699 1\n"
    assert faults("".join(lines).encode()) == [
        "a.qrels:1703: the grade 'one' is not a whole number",
        "a.qrels:2000: document 'doc1699' is already judged for topic '33' in line 1700",
    ]
