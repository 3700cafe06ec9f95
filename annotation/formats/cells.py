"""Lines of CSV files as all exports write them.

A cell of free text that a spreadsheet would take for a formula (it starts with `=`, `+`, `-`, `@`, tab or carriage
return) gets an apostrophe in front. So does one that has apostrophes before such a character already: taking the first
one away gives the text back. Ids (topic numbers, docnos, tags) are what other programs look up: they are written
exactly as they are.
"""

import csv
import io
from collections.abc import Iterable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def text_cell(text: str) -> str:
    """Free text as a cell, guarded by an apostrophe where a spreadsheet might run it."""
    return f"'{text}" if text.lstrip("'").startswith(_FORMULA) else text


def without_guard(cell: str) -> str:
    """The text that `text_cell` made the cell from."""
    guarded = cell.startswith("'") and cell.lstrip("'").startswith(_FORMULA)
    return cell[1:] if guarded else cell


def csv_line(cells: Iterable[object]) -> bytes:
    """A line as RFC 4180 has it (comma, CR LF, quotes where needed) in UTF-8. None is an empty cell."""
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue().encode()
