"""What a hostile or careless file can do to the reading of columns, beyond being wrong in form."""

import io

import pytest

from annotation.formats import columns
from annotation.formats import lines as lines_module
from annotation.formats.lines import Limits
from annotation.formats.problems import FormatError, Problems
from annotation.formats.qrels.trec import LAYOUT, parse_qrels

MANY = 1 << 20
SCORE = columns.Layout(names=("score",), keep={0: "score"})
ROW = columns.Layout(names=("row",), keep={0: "id"})


def blocks(text: bytes, *, line: int, size: int) -> list[columns.Block]:
    limits = Limits(line=line)
    return list(columns.read_blocks(io.BytesIO(text), Problems("a.run"), size=size, limits=limits))


def fault_of_score(text: str) -> list[str]:
    problems = Problems("a.run")
    list(columns.read_carefully(columns.Block(text.encode(), 1), SCORE, problems))
    return [problem.reason for problem in problems]


@pytest.mark.parametrize(
    ("before", "digit", "after"), [("", "1", "x"), ("", "0", ".x"), (".", "1", "x"), ("1e", "0", "x")]
)
def test_a_million_digits_are_refused_in_one_look(before: str, digit: str, after: str) -> None:
    """Trying every way of cutting the digits in two would take hours."""
    text = before + digit * MANY + after
    assert fault_of_score(text) == [f"the score '{text[:40]}…' is not a finite decimal number"]


def test_a_million_digits_can_be_a_score() -> None:
    assert fault_of_score("0." + "1" * MANY) == []


@pytest.mark.parametrize(("sign", "value"), [("", 12), ("-", -999999999)])
def test_leading_zeros_of_a_grade_are_no_matter(sign: str, value: int) -> None:
    """Python refuses to make a whole number of more than 4,300 digits."""
    grade = sign + "0" * MANY + str(abs(value))
    assert parse_qrels(io.BytesIO(f"1 0 a {grade}\n".encode()), Problems("a.qrels")).grade.tolist() == [value]


@pytest.mark.parametrize("grade", ["1000000000", "-1000000000", "9" * 400])
def test_a_grade_out_of_range_is_called_so(grade: str) -> None:
    problems = Problems("a.qrels")
    list(columns.read_carefully(columns.Block(f"1 0 a {grade}".encode(), 1), LAYOUT, problems))
    shown = grade if len(grade) < 40 else "9" * 40 + "…"
    assert [str(problem) for problem in problems] == [f"a.qrels:1: the grade '{shown}' is beyond ±999999999"]


@pytest.mark.parametrize("size", [1, 40, 10_000])
@pytest.mark.parametrize("chunk", [4, 64, 10_000])
@pytest.mark.parametrize("end", [b"", b"\n", b"\nrow\n"])
def test_a_line_beyond_the_limit_is_named_wherever_it_lies(
    monkeypatch: pytest.MonkeyPatch, size: int, chunk: int, end: bytes
) -> None:
    monkeypatch.setattr(lines_module, "CHUNK", chunk)
    assert (
        b"\n".join(block.text for block in blocks(b"row\n" * 9 + b"x" * 20 + end, line=20, size=size)).count(b"x") == 20
    )
    with pytest.raises(FormatError, match=r"^a.run:10: the line is longer than the limit of 20 bytes$"):
        blocks(b"row\n" * 9 + b"x" * 21 + end, line=20, size=size)


def test_blank_lines_by_the_block_cost_no_reading() -> None:
    """Four GiB of them fit in a gzip of four MiB, and walking them one by one would take a quarter of an hour."""
    read = blocks(b"\n" * 300_000 + b"row\n" + b" \r\n" * 100_000 + b"row\n", line=1000, size=100_000)
    assert sum(len(block.text) for block in read) < 400_000
    assert [line for block in read for line, _ in columns.read_carefully(block, ROW, Problems("a.run"))] == [
        300_001,
        400_002,
    ]


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("size", [16, 100, 1 << 20])
def test_an_ordinary_file_has_no_line_without_a_row(monkeypatch: pytest.MonkeyPatch, end: str, size: int) -> None:
    """What follows the lines of a block is none of them: the shortest way to the fields would not be open."""
    monkeypatch.setattr(lines_module, "CHUNK", 16)
    text = "\n".join(f"1 0 d{n} 1" for n in range(40)) + end
    read = [columns.read_fast(block, LAYOUT) for block in blocks(text.encode(), line=1000, size=size)]
    assert all(tokens is not None and tokens.line is None for tokens in read)
    docnos = [docno for tokens in read if tokens for docno in tokens.ids(2) or ()]
    assert docnos == [f"d{n}" for n in range(40)]


def test_lines_are_counted_over_the_blocks_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "CHUNK", 16)
    text = b"".join(b"1 0 d%d 1\n" % n for n in range(40))
    begins = [(block.line, block.text.split(b"\n")[0]) for block in blocks(text, line=1000, size=64)]
    assert len(begins) > 3
    assert all(first == b"1 0 d%d 1" % (line - 1) for line, first in begins)


def test_two_blanks_are_no_empty_field_though_their_number_would_fit() -> None:
    with pytest.raises(FormatError) as caught:
        parse_qrels(io.BytesIO(b"1 0 a 1\n1 0  1\n"), Problems("a.qrels"))
    assert [problem.reason for problem in caught.value.problems] == [
        "4 fields expected (topic, iteration, docno, grade), 3 found"
    ]
