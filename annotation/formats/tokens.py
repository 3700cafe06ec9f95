"""Where the fields of a block of lines lie, found for all lines at once: the fast reading of columns.

It answers None as soon as anything is unusual; the careful reading (`columns.read_carefully`) then
walks the lines and names every fault. Where it does not answer None, both give the same rows.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from annotation.formats import numbers
from annotation.formats.fields import MAX_ID, REPLACEMENT
from annotation.formats.text import Bytes, Ints, Text

Bools: TypeAlias = NDArray[np.bool_]
BEHIND = b"\n" * 32  # behind the last line, so that numbers and words may be read beyond its end
WHITE = b" \t\n\r\x0b\x0c"
_TO_SPACE = bytes.maketrans(WHITE, b" " * len(WHITE))
_SPACE, _NEWLINE, _HASH, _DELETE = b" \n#\x7f"
_SEPARATED = re.compile(rb"[ \t]*\n")
GREATEST_GRADE = 10**9 - 1  # as `fields.whole_number` has it


@dataclass(frozen=True, eq=False)
class Tokens:
    """The kept fields of the rows of a block. The columns are those of the layout."""

    raw: Bytes
    begin: Mapping[int, Ints]  # of each kept column, (n_rows,)
    length: Mapping[int, Ints]
    line: Ints | None  # (n_rows,) the line of each row, from 0; None: every line is a row

    def ids(self, column: int) -> Text | None:
        """None if one is longer than an id may be."""
        length = self.length[column]
        return Text.cut(self.raw, self.begin[column], length) if int(length.max()) <= MAX_ID else None

    def scores(self, column: int) -> NDArray[np.float64] | None:
        """None if one is no finite decimal number."""
        return numbers.decimals(self.raw, self.begin[column], self.length[column])

    def grades(self, column: int) -> Ints | None:
        """None if one is no whole number within ±999,999,999."""
        return numbers.whole_numbers(self.raw, self.begin[column], self.length[column], greatest=GREATEST_GRADE)


def find_tokens(text: bytes, *, n_fields: int, keep: Sequence[int], extra: bool, comments: bool) -> Tokens | None:
    """The fields of whole lines (the last one with its end or without). Lines are rows but for blank ones and comments.

    Nothing is copied where `BEHIND` follows the lines. None for control characters, a carriage return inside a line,
    what is no UTF-8 or cannot be printed, and a line of fewer fields than `n_fields` or, unless `extra`, more; and for
    a block without a row.
    """
    if not text.endswith(b"\n" + BEHIND):
        text = b"".join([text, b"" if text.endswith(b"\n") else b"\n", BEHIND])
    raw = np.frombuffer(text, np.uint8)
    lines = raw[: -len(BEHIND)]
    if not _is_printed(text, lines):
        return None
    comments = comments and b"#" in text
    single = _single_spaced(lines, n_fields, comments=comments)
    columns = single or _spaced(text, lines, n_fields, extra=extra, comments=comments)
    if columns is None:
        return None
    begin = {i: columns.begin(i) for i in keep}
    return Tokens(raw, begin, {i: columns.end(i) - begin[i] for i in keep}, columns.line)


def _is_printed(text: bytes, lines: Bytes) -> bool:
    """Nothing above the blank but what can be printed."""
    highest = int(lines.max())
    return highest < _DELETE or (highest > _DELETE and b"\x7f" not in text and _is_printable(text))


def _is_ordinary(text: bytes, lines: Bytes, white: Bools, n_lines: int) -> bool:
    """Up to the blank only white space; a carriage return only before the end of a line."""
    n_unusual = np.count_nonzero(white) - n_lines - np.count_nonzero(lines == _SPACE)
    if n_unusual:
        n_returns = text.count(b"\r")
        if n_unusual != n_returns + sum(map(text.count, (b"\t", b"\x0b", b"\x0c"))):
            return False
        if n_returns != text.count(b"\r\n") + text.endswith(b"\r"):
            return False
    return True


def _is_printable(text: bytes) -> bool:
    """Whether the text is UTF-8 without characters that an id may not have: white space of Unicode, what is unseen."""
    try:
        characters = text.translate(_TO_SPACE).decode()  # replaced, not removed: that would join what they keep apart
    except UnicodeDecodeError:
        return False
    return characters.isprintable() and REPLACEMENT not in characters


@dataclass(frozen=True, eq=False)
class _SingleSpaced:
    """Every line has the fields, with one white character behind each: nothing else has to be looked for."""

    behind: Ints  # (n_fields, n_rows) the white character behind each field
    line: None = None

    def begin(self, i: int) -> Ints:
        begin = np.zeros(self.behind.shape[1], np.int64)
        if i:
            np.add(self.behind[i - 1], 1, out=begin)
        else:
            np.add(self.behind[-1, :-1], 1, out=begin[1:])
        return begin

    def end(self, i: int) -> Ints:
        end: Ints = self.behind[i]
        return end


def _single_spaced(lines: Bytes, n_fields: int, *, comments: bool) -> _SingleSpaced | None:
    """None where the white characters of any line are not those of the first, or two of them have no field between."""
    white = lines <= _SPACE
    if white[0] or (white[1:] & white[:-1]).any():
        return None
    at = np.flatnonzero(white)
    if at.size % n_fields:
        return None
    kinds = lines[at[:n_fields]].tobytes()
    if not _SEPARATED.fullmatch(kinds) or lines[at].tobytes() != kinds * (at.size // n_fields):
        return None
    columns = _SingleSpaced(np.ascontiguousarray(at.reshape(-1, n_fields).T))
    return None if comments and (lines[columns.begin(0)] == _HASH).any() else columns


@dataclass(frozen=True, eq=False)
class _Spaced:
    """Fields and line ends in one sequence each: for the first characters of fields, and for the last ones."""

    begin_at: Ints
    last_at: Ints
    first: Ints  # (n_rows,) where in both the row's first field stands
    line: Ints | None

    def begin(self, i: int) -> Ints:
        return self.begin_at[self.first + i]

    def end(self, i: int) -> Ints:
        return self.last_at[self.first + i] + 1


def _spaced(text: bytes, lines: Bytes, n_fields: int, *, extra: bool, comments: bool) -> _Spaced | None:
    white, newline = lines <= _SPACE, lines == _NEWLINE
    if not _is_ordinary(text, lines, white, int(np.count_nonzero(newline))):
        return None
    begins, ends = ~white, ~white
    begins[1:] &= white[:-1]
    ends[:-1] &= white[1:]
    begin_at, last_at = np.flatnonzero(begins | newline), np.flatnonzero(ends | newline)
    line_end = np.flatnonzero(newline[begin_at])
    first = np.concatenate([np.zeros(1, np.int64), line_end[:-1] + 1])
    n_found = line_end - first  # (n_lines,) fields of each line
    is_row = n_found > 0
    if comments:
        line_begin = np.concatenate([np.zeros(1, np.int64), begin_at[line_end[:-1]] + 1])
        is_row &= lines[line_begin] != _HASH
    n_found = n_found[is_row]
    if not n_found.size or (n_found < n_fields).any() or (not extra and (n_found > n_fields).any()):
        return None
    return _Spaced(begin_at, last_at, first[is_row], None if is_row.all() else np.flatnonzero(is_row))
