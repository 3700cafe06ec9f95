"""Judgments as a table with a header: `query docno annotator grade [time] [comment]`, in any order."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from annotation.formats.forms import Columns
from annotation.formats.heads import head_lines, is_json
from annotation.formats.mapping import Found, found, refuse_missing, refuse_unknown
from annotation.formats.meanings import JUDGMENT
from annotation.formats.outside.making import Cells, judgments_of
from annotation.formats.outside.rows import OutsideJudgment
from annotation.formats.problems import Problems
from annotation.formats.tables import TAB, header_of, read_table


def is_table(head: bytes, *, tabs: bool) -> bool:
    """Whether the first line is a header in which a grade is recognised. One column more may have to be chosen."""
    delimiter, header = header_in(head)
    return bool(delimiter) and (delimiter == TAB) == tabs and found(header, JUDGMENT, {}).has("grade")


def header_in(head: bytes) -> tuple[str, list[str]]:
    lines = [] if is_json(head) else head_lines(head, comments=False)
    return header_of(lines[0]) if lines else ("", [])


def columns_of(head: bytes) -> list[tuple[str, str]]:
    header = header_in(head)[1]
    return found(header, JUDGMENT, {}).told(header)


def read_judgment_table(
    stream: BinaryIO, problems: Problems, columns: Columns, *, delimiters: str
) -> Iterator[OutsideJudgment]:
    header, rows = read_table(stream, problems, delimiters=delimiters)
    refuse_unknown(header, JUDGMENT, columns, problems)
    where = found(header, JUDGMENT, columns)
    refuse_missing(header, where.missing(JUDGMENT), problems)
    problems.check()
    yield from judgments_of(cells_of(rows, header, where), problems, columns)


def cells_of(rows: Iterator[tuple[int, list[str]]], header: Sequence[str], where: Found) -> Iterator[tuple[int, Cells]]:
    at = [(meaning, header.index(column)) for meaning, column in where.column.items()]
    for line, cells in rows:
        yield line, {**where.constant, **{meaning: cells[i] for meaning, i in at}}
