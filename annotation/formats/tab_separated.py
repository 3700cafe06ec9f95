"""Columns between tabs, no quoting, with a header or without: for topics and documents alike.

A first line is a header iff it names every column that is needed. Without one the number of columns
says what each is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import BinaryIO, TypeAlias

from annotation.formats.fields import WHITE
from annotation.formats.file_formats import Columns
from annotation.formats.first_bytes import head_lines, is_json
from annotation.formats.lines import DEFAULT_LIMITS, read_lines
from annotation.formats.mapping import ColumnMapping, Meaning, find_columns, refuse_missing, refuse_unknown
from annotation.formats.problems import Problems

Headers: TypeAlias = Mapping[int, Sequence[str]]  # number of columns -> what each of them is, where no header says it
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th")


@dataclass(frozen=True)
class Row:
    """A line: what its columns hold by meaning, and the other columns by name."""

    line: int
    values: Mapping[str, str]
    further: Mapping[str, str]


def is_tabbed(head: bytes) -> bool:
    """Whether the first lines have tabs and are neither JSON nor markup."""
    lines = head_lines(head, comments=False) or [head]
    return not is_json(head) and not head.lstrip().startswith(b"<") and any(b"\t" in line for line in lines)


def columns_of_tabbed(head: bytes, meanings: Sequence[Meaning], headers: Headers) -> list[tuple[str, str]]:
    lines = head_lines(head, comments=False)
    first = _fields(lines[0].decode(errors="replace")) if lines else []
    if _is_header(first, meanings, {}):
        return find_columns(first, meanings, {}).meanings_of(first)
    most = max((len(_fields(line.decode(errors="replace"))) for line in lines), default=0)
    return list(zip(_names(most), headers.get(most, [""] * most), strict=True))


def read_tabbed(
    stream: BinaryIO,
    problems: Problems,
    meanings: Sequence[Meaning],
    headers: Headers,
    chosen: Columns,
    *,
    steady: bool = False,
) -> Iterator[Row]:
    """The rows; a line of a wrong number of columns is a problem. A chosen column is that of the header, or `3rd`.

    `steady`: every line has as many columns as the first one. Else columns at its end may be missing.
    """
    lines = ((line, text) for line, text in read_lines(stream, problems, DEFAULT_LIMITS) if text.strip(WHITE))
    first = next(lines, None)
    if first is None:
        return
    file_columns = _fields(first[1])
    if _is_header(file_columns, meanings, chosen):
        yield from _headed(lines, file_columns, meanings, chosen, problems, steady=steady)
    elif chosen:
        yield from _headed(chain([first], lines), _names(len(file_columns)), meanings, chosen, problems, steady=steady)
    else:
        n = len(file_columns)
        here = {n: headers[n]} if steady and n in headers else headers
        yield from _placed(chain([first], lines), here, problems)


def _headed(
    lines: Iterator[tuple[int, str]],
    file_columns: Sequence[str],
    meanings: Sequence[Meaning],
    chosen: Columns,
    problems: Problems,
    *,
    steady: bool,
) -> Iterator[Row]:
    mapping = find_columns(file_columns, meanings, chosen)
    refuse_unknown(file_columns, meanings, chosen, problems)
    refuse_missing(file_columns, mapping.missing(meanings), problems, {})
    if problems:
        return
    for line, text in lines:
        fields = _fields(text)
        if len(fields) == len(file_columns) or (not steady and len(fields) < len(file_columns)):
            yield _row(line, dict(zip_longest(file_columns, fields, fillvalue="")), mapping)
        else:
            problems.add(line, f"{len(file_columns)} columns expected, as in the first line, {len(fields)} found")


def _row(line: int, cells: Mapping[str, str], mapping: ColumnMapping) -> Row:
    used = set(mapping.column.values())
    values = {meaning: cells[column] for meaning, column in mapping.column.items()}
    return Row(line, {**mapping.constant, **values}, {name: cell for name, cell in cells.items() if name not in used})


def _placed(lines: Iterator[tuple[int, str]], headers: Headers, problems: Problems) -> Iterator[Row]:
    least, most = min(headers), max(headers)
    counted = f"{least} to {most}" if least < most else f"{most}"
    expected = f"{counted} columns expected ({', '.join(headers[most])})"
    for line, text in lines:
        fields = _fields(text)
        if len(fields) in headers:
            yield Row(line, dict(zip(headers[len(fields)], fields, strict=True)), {})
        else:
            problems.add(line, f"{expected}, {len(fields)} found")


def _is_header(fields: Sequence[str], meanings: Sequence[Meaning], chosen: Columns) -> bool:
    """Whether the first line names columns: each once, all that are needed or all that are chosen among them."""
    if len(set(fields)) < len(fields):
        return False
    chosen_columns = [column for column in chosen.values() if not column.startswith("=")]
    return not find_columns(fields, meanings, {}).missing(meanings) or (
        bool(chosen_columns) and set(chosen_columns) <= set(fields)
    )


def _names(n: int) -> list[str]:
    return [ORDINALS[i] if i < len(ORDINALS) else f"{i + 1}th" for i in range(n)]


def _fields(text: str) -> list[str]:
    return [field.strip(WHITE) for field in text.split("\t")]
