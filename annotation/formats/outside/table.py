"""Judgments as a table with a header: `query docno annotator grade [time] [comment]`, in any order."""

from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from annotation.formats.column_names import JUDGMENT
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.mapped import columns_of_table, has_header, header_in, rows_of_table
from annotation.formats.outside.making import judgments_of
from annotation.formats.outside.mturk import is_mturk
from annotation.formats.outside.quepid import is_quepid
from annotation.formats.outside.rows import OutsideJudgment
from annotation.formats.outside.toloka import is_toloka
from annotation.formats.outside.touchstone import is_own_csv
from annotation.formats.problems import Problems
from annotation.formats.tables import COMMAS, TAB


def _is_table(head: bytes, *, tabs: bool) -> bool:
    """Whether the first line is a header in which a grade is recognised; other columns may have to be chosen."""
    return has_header(head, JUDGMENT, ("grade",)) and (header_in(head)[0] == TAB) == tabs


def _read(stream: BinaryIO, problems: Problems, columns: Columns, *, delimiters: str) -> Iterator[OutsideJudgment]:
    rows = rows_of_table(stream, problems, columns, JUDGMENT, delimiters=delimiters)
    yield from judgments_of(rows, problems, columns)


CSV: FileFormat[Iterator[OutsideJudgment]] = FileFormat(
    "csv",
    "CSV with a header",
    lambda head: _is_table(head, tabs=False) and not (is_mturk(head) or is_quepid(head) or is_own_csv(head)),
    partial(_read, delimiters=COMMAS),
    lambda head: columns_of_table(head, JUDGMENT),
    mapped=True,
)
TSV: FileFormat[Iterator[OutsideJudgment]] = FileFormat(
    "tsv",
    "TSV with a header",
    lambda head: _is_table(head, tabs=True) and not is_toloka(head),
    partial(_read, delimiters=TAB),
    lambda head: columns_of_table(head, JUDGMENT),
    mapped=True,
)
