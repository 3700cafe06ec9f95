"""One rule for every CSV that goes out."""

import csv
import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.cells import csv_line, text_cell, without_guard

STARTS = ["=", "+", "-", "@", "\t", "\r", "\n", "\r\n", " =", "\N{NO-BREAK SPACE}=", "\ufeff=", "\u200b@", "\v=", "\0="]
FULLWIDTH = ["EQUALS SIGN", "PLUS SIGN", "HYPHEN-MINUS", "COMMERCIAL AT"]


@pytest.mark.parametrize("start", [*STARTS, *(unicodedata.lookup(f"FULLWIDTH {name}") for name in FULLWIDTH)])
def test_free_text_that_a_spreadsheet_would_run_gets_an_apostrophe(start: str) -> None:
    assert text_cell(f"{start}1+1") == f"'{start}1+1"


def test_no_two_texts_give_the_same_cell() -> None:
    assert [text_cell(text) for text in ("=1", "'=1", "''=1")] == ["'=1", "''=1", "'''=1"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_so_does_a_later_line(line_end: str) -> None:
    text = line_end.join(["see", "=1", " - two", "'@a", "a=1", ""])
    assert text_cell(text) == line_end.join(["see", "'=1", "' - two", "''@a", "a=1", ""])


@given(st.text(alphabet="=+-@\t\r\n' aü\N{FULLWIDTH EQUALS SIGN}\ufeff", max_size=12))
def test_what_is_guarded_comes_back(text: str) -> None:
    assert without_guard(text_cell(text)) == text


@pytest.mark.parametrize("text", ["", "plain", "a=1", "'quoted'", "'", " 1", "a\nb", "ünï"])
def test_other_text_stays(text: str) -> None:
    assert text_cell(text) == text


def test_a_line_reads_back_as_it_was() -> None:
    cells = ["=1", 'say "no"', "a,b", "two\nlines", "", "ünï"]
    assert next(csv.reader(io.StringIO(csv_line(cells).decode(), newline=""))) == cells
    assert csv_line([1, None, "x"]) == b"1,,x\r\n"
