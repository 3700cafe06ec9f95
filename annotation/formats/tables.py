"""Tables with a header: comma or semicolon separated (RFC 4180 quoting), or tab separated (no quoting).

The header decides how many cells a line has. A quoted cell may run over several lines; a row is
named by the line it begins on. Cells hold up to 131,072 characters.
"""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import BinaryIO

from annotation.formats.fields import WHITE, shown
from annotation.formats.lines import DEFAULT_LIMITS, RETURN, Limits, read_lines
from annotation.formats.problems import Problems

TAB, COMMAS = "\t", ";,"
CELL = 131_072  # characters: the limit of Python's csv
MOST_COLUMNS = 1000


@dataclass
class _Lines:
    """Lines for `csv`, which asks for as many as a row needs; `first` is where the row began, 0 before it does."""

    lines: Iterator[tuple[int, str]]
    first: int = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line, text = next(self.lines)
        self.first = self.first or line
        return text + "\n"


def read_table(
    stream: BinaryIO,
    problems: Problems,
    *,
    delimiters: str,
    limits: Limits = DEFAULT_LIMITS,
    bulk: "TableInBulk | None" = None,
) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """`(header, rows)`; a row is `(line, cells)` with as many cells as the header, or a problem.

    The first of `delimiters` that the first line holds is that of the file; the last of them where it holds none.

    Raises `FormatError` for a file without a header, and for one with a column twice. Rows that `bulk` takes
    once it knows where are left out.
    """
    lines = read_lines(stream, problems, limits, bulk)
    first = next((line for line in lines if line[1].strip(WHITE)), (0, ""))
    delimiter = next((mark for mark in delimiters if mark in first[1]), delimiters[-1])
    walk = _Lines(chain([first], lines))
    rows = _rows(walk, problems, delimiter)
    line, header = next(rows, (0, []))
    header = [name.strip(WHITE) for name in header]
    if not header:
        problems.check()
        raise problems.stop(0, "there is no header in this file")
    if len(header) > MOST_COLUMNS:
        raise problems.stop(line, f"{len(header)} columns, at most {MOST_COLUMNS} are read")
    twice = next((name for i, name in enumerate(header) if name and name in header[:i]), None)
    if twice is not None:
        raise problems.stop(line, f"the column {shown(twice)} stands twice in the header")
    if bulk:
        bulk.lines, bulk.delimiter, bulk.width = walk, delimiter, len(header)
    return header, _of_width(rows, len(header), problems)


class TableInBulk:
    """Columns of many lines at once, where each line is a whole row. `take` is given the first line's number and the
    columns `at`, and says whether it could use them; what is not taken is read row by row.
    """

    def __init__(self, take: Callable[[int, list[list[str]]], bool]) -> None:
        self._take = take
        self.lines, self.delimiter, self.width = _Lines(iter(())), "", 0
        self.at: list[int] | None = None  # until it is known, nothing is taken

    def takes(self, text: bytes, line: int) -> bool:
        if self.at is None or self.lines.first:  # in the middle of a row, which a quoted cell has
            return False
        columns = self._columns(text, self.at)
        return columns is not None and self._take(line, columns)

    def _columns(self, text: bytes, at: list[int]) -> list[list[str]] | None:
        """None unless each line is a row as wide as the header."""
        try:
            lines = text.removesuffix(b"\r").replace(b"\r\n", b"\n").decode().split("\n")
            rows = list(_reader(iter(lines), self.delimiter))
        except (UnicodeDecodeError, csv.Error):
            return None
        if len(rows) != len(lines) or set(map(len, rows)) != {self.width}:
            return None
        return [list(map(itemgetter(i), rows)) for i in at]


def header_of(line: bytes) -> tuple[str, list[str]]:
    """`(delimiter, columns)` that the first line of a file shows; no delimiter, one column."""
    text = line.decode(errors="replace").rstrip("\r\n")
    delimiter = next((mark for mark in TAB + COMMAS if mark in text), "")
    if not delimiter:
        return "", [text.strip(WHITE)]
    try:
        cells = next(_reader(iter([text]), delimiter), [])
    except csv.Error:
        return delimiter, []
    return delimiter, [cell.strip(WHITE) for cell in cells]


def _rows(lines: _Lines, problems: Problems, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """`(line, cells)` of each line or quoted run of lines that is not blank."""
    reader = _reader(lines, delimiter)
    while True:
        lines.first = 0
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problems.add(lines.first, _reason(str(error)))
            continue
        if any(cells) and any(cell.strip(WHITE) for cell in cells):
            yield lines.first, cells


def _of_width(rows: Iterator[tuple[int, list[str]]], width: int, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    for line, cells in rows:
        if len(cells) == width:
            yield line, cells
        else:
            problems.add(line, f"{width} cells expected, as in the header, {len(cells)} found")


def _reader(lines: Iterator[str], delimiter: str) -> Iterator[list[str]]:
    if delimiter == TAB:
        return csv.reader(lines, delimiter=TAB, quoting=csv.QUOTE_NONE, strict=True)
    return csv.reader(lines, delimiter=delimiter or COMMAS[-1], strict=True)


def _reason(of_csv: str) -> str:
    """The faults of the csv module in words of ours."""
    if "field limit" in of_csv:
        return f"a cell is longer than {CELL} characters: is a quotation mark missing?"
    if "new-line character" in of_csv:
        return RETURN
    if "unexpected end" in of_csv:
        return "a quotation mark is opened and never closed"
    return "a quotation mark stands inside a quoted cell: it must be doubled"
