"""Lines of the CSV files that go out, in one way.

A cell of free text that a spreadsheet would take for a formula (it starts with `=`, `+`, `-`, `@`, tab or carriage
return) gets an apostrophe in front; so does one that has apostrophes there already, and nothing is lost when the first
of them is taken away. Ids (topic numbers, docnos, tags) are what other programs look up: they are
written exactly as they are.
"""

import csv
import io
from collections.abc import Iterable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def text_cell(text: str) -> str:
    """Free text, with an apostrophe in front where a spreadsheet would run it, or would but for apostrophes."""
    return f"'{text}" if text.lstrip("'").startswith(_FORMULA) else text


def csv_line(cells: Iterable[object]) -> bytes:
    """A line as RFC 4180 has it (comma, CR LF, quotes where needed) in UTF-8. None is an empty cell."""
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue().encode()
