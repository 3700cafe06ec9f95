"""Judgments as a table with a header: `query docno annotator grade [time] [comment]`, in any order."""

from collections.abc import Iterator
from typing import BinaryIO

from annotation.formats.column_names import JUDGMENT
from annotation.formats.file_formats import Columns
from annotation.formats.mapped import has_header, header_in, rows_of_table
from annotation.formats.outside.making import judgments_of
from annotation.formats.outside.rows import OutsideJudgment
from annotation.formats.problems import Problems
from annotation.formats.tables import TAB


def is_table(head: bytes, *, tabs: bool) -> bool:
    """Whether the first line is a header in which a grade is recognised; other columns may have to be chosen."""
    return has_header(head, JUDGMENT, ("grade",)) and (header_in(head)[0] == TAB) == tabs


def read_judgment_table(
    stream: BinaryIO, problems: Problems, columns: Columns, *, delimiters: str
) -> Iterator[OutsideJudgment]:
    rows = rows_of_table(stream, problems, columns, JUDGMENT, delimiters=delimiters)
    yield from judgments_of(rows, problems, columns)
