"""Lines of CSV files as all exports write them.

A line of free text that a spreadsheet would take for a formula gets an apostrophe in front: one
that starts with `=`, `+`, `-` or `@`, plain or fullwidth, also behind blanks and characters that do
not show, or with a tab; and a cell that starts with the end of a line. Later lines of a cell count
too, for programs that do not heed the quotes around it. So does a line that has apostrophes before
such a character already: taking the first one away gives the text back. Ids (topic numbers, docnos,
tags) are what other programs look up: they are written exactly as they are.
"""

import csv
import io
import re
from collections.abc import Iterable

_UNSEEN = r"[^\S\r\n]|[\0\ufeff\u200b-\u200f\u202a-\u202e\u2060-\u2069]"
_FULLWIDTH = "\uff1d\uff0b\uff0d\uff20"  # = + - @
_SMALL = "\ufe66\ufe62\ufe63\ufe6b"
_SIGNS = rf"=+@\-{_FULLWIDTH}{_SMALL}"
_FORMULA = rf"(?:'|{_UNSEEN})*[{_SIGNS}]|'*\t"
_BEGINS = re.compile(rf"(?:\A|(?<=[\r\n]))(?={_FORMULA})|\A(?='*[\r\n])")
_GUARDED = re.compile(rf"(?:\A|(?<=[\r\n]))'(?={_FORMULA})|\A'(?='*[\r\n])")


def text_cell(text: str) -> str:
    """Free text as a cell, guarded by an apostrophe where a spreadsheet might run it."""
    return _BEGINS.sub("'", text)


def without_guard(cell: str) -> str:
    """The text that `text_cell` made the cell from."""
    return _GUARDED.sub("", cell)


def csv_line(cells: Iterable[object]) -> bytes:
    """A line as RFC 4180 has it (comma, CR LF, quotes where needed) in UTF-8. None is an empty cell."""
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue().encode()
