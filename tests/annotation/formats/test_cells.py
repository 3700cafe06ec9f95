"""One rule for every CSV that goes out."""

import csv
import io

import pytest

from annotation.formats.cells import csv_line, text_cell


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_free_text_that_a_spreadsheet_would_run_gets_an_apostrophe(start: str) -> None:
    assert text_cell(f"{start}1+1") == f"'{start}1+1"


def test_no_two_texts_give_the_same_cell() -> None:
    assert [text_cell(text) for text in ("=1", "'=1", "''=1")] == ["'=1", "''=1", "'''=1"]


@pytest.mark.parametrize("text", ["", "plain", "a=1", "'quoted'", "'", " =1", "ünï"])
def test_other_text_stays(text: str) -> None:
    assert text_cell(text) == text


def test_a_line_reads_back_as_it_was() -> None:
    cells = ["=1", 'say "no"', "a,b", "two\nlines", "", "ünï"]
    assert next(csv.reader(io.StringIO(csv_line(cells).decode(), newline=""))) == cells
    assert csv_line([1, None, "x"]) == b"1,,x\r\n"
