"""Tables with a header: what is written as RFC 4180 has it comes back."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.formats.problems import FormatError, Problems
from annotation.formats.tables import COMMAS, TAB, header_of, read_table

Rows = list[tuple[int, list[str]]]


def read(data: bytes, delimiters: str = COMMAS) -> tuple[list[str], Rows]:
    problems = Problems("a")
    header, rows = read_table(io.BytesIO(data), problems, delimiters=delimiters)
    body = list(rows)
    problems.check()
    return header, body


def faults(data: bytes, delimiters: str = COMMAS) -> list[str]:
    with pytest.raises(FormatError) as caught:
        read(data, delimiters)
    return [str(problem) for problem in caught.value.problems]


CELL = st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"]), max_size=12)


@settings(max_examples=200)
@given(
    st.lists(st.lists(CELL, min_size=3, max_size=3), max_size=6), st.sampled_from(",;"), st.sampled_from(["\n", "\r\n"])
)
def test_what_is_written_comes_back(rows: list[list[str]], delimiter: str, end: str) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows([["a", "b", "c"], *rows])
    header, body = read(out.getvalue().encode())
    assert header == ["a", "b", "c"]
    assert [cells for _, cells in body] == [cells for cells in rows if any(cell.strip(" \t\n\f\v") for cell in cells)]


def test_rows_are_named_by_the_line_they_begin_on() -> None:
    assert read(b'\na,b\n1,"2\n3"\n\n"4\n\n",5\n6,7') == (
        ["a", "b"], [(3, ["1", "2\n3"]), (6, ["4\n\n", "5"]), (9, ["6", "7"])]
    )  # fmt: skip


def test_tabs_have_no_quotes() -> None:
    assert read(b'a\tb\n"1\t2"\r\n', TAB)[1] == [(2, ['"1', '2"'])]


def test_the_first_line_says_what_separates() -> None:
    assert read(b"a;b\n1,5;2\n")[1] == [(2, ["1,5", "2"])]
    assert read(b"a,b\n1;5,2\n")[1] == [(2, ["1;5", "2"])]
    assert read(b"a,b\tc\n1,2\t3\n", TAB + COMMAS) == (["a,b", "c"], [(2, ["1,2", "3"])])
    assert [header_of(line) for line in (b'"a ","b"\r', b"a;b", b"a\tb,c", b"a", b'"a,b')] == [
        (",", ["a", "b"]), (";", ["a", "b"]), ("\t", ["a", "b,c"]), ("", ["a"]), (",", [])
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "reasons"),
    [
        (b"", ["a: there is no header in this file"]),
        (b" \n\n", ["a: there is no header in this file"]),
        (b"\na,a\n", ["a:2: the column 'a' stands twice in the header"]),
        (
            b"a,b\n1\n1,2,3\n",
            ["a:2: 2 cells expected, as in the header, 1 found", "a:3: 2 cells expected, as in the header, 3 found"],
        ),
        (
            b'a,b\n1,"2"x\n3,4\n5,"6',
            [
                "a:2: a quotation mark stands inside a quoted cell: it must be doubled",
                "a:4: a quotation mark is opened and never closed",
            ],
        ),
        (
            b"a,b\n\xff,1\n1\n",
            ["a:2: not UTF-8 at byte 1 of the line (0xff)", "a:3: 2 cells expected, as in the header, 1 found"],
        ),
    ],
)
def test_faults(data: bytes, reasons: list[str]) -> None:
    assert faults(data) == reasons


def test_columns_without_a_name_may_be_many() -> None:
    assert read(b"a,,\n1,2,3\n")[0] == ["a", "", ""]
