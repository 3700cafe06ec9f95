"""Assignments of Toloka: a TSV with `INPUT:…`, `OUTPUT:…` and `ASSIGNMENT:…`.

The annotator is `ASSIGNMENT:worker_id`; start and time are `ASSIGNMENT:started` and
`ASSIGNMENT:submitted`. Topic and document are among the `INPUT:` columns, grade and comment among
the `OUTPUT:` ones: taken where one alone can be meant, and else to be chosen. Assignments that were
rejected, skipped or ran out, or are under way, are left aside.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from annotation.formats.column_names import COMMENT, DOCNO, GRADE, NUMBER
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.mapped import Cells, columns_of_table, header_in, rows_of_table
from annotation.formats.mapping import Among, Meaning
from annotation.formats.outside.making import judgments_of
from annotation.formats.outside.rows import OutsideJudgment
from annotation.formats.problems import Problems
from annotation.formats.tables import TAB

GIVEN = frozenset(("APPROVED", "SUBMITTED", "ACCEPTED", ""))
STATUS = Meaning("status", ("assignment:status",), needed=False)
MEANINGS = (
    COMMENT,
    NUMBER,
    DOCNO,
    GRADE,
    Meaning("annotator", ("assignment:worker_id",)),
    Meaning("at", ("assignment:submitted",), needed=False),
    Meaning("started", ("assignment:started",), needed=False),
    STATUS,
)
AMONG = {
    "number": Among("INPUT:"),
    "docno": Among("INPUT:"),
    "grade": Among("OUTPUT:", any_name=True),
    "comment": Among("OUTPUT:"),
}


def is_toloka(head: bytes) -> bool:
    header = header_in(head)[1]
    return "ASSIGNMENT:worker_id" in header and any(name.startswith("OUTPUT:") for name in header)


def _columns(head: bytes) -> list[tuple[str, str]]:
    return [(column, meaning.replace(STATUS.name, "")) for column, meaning in columns_of_table(head, MEANINGS, AMONG)]


def _read(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[OutsideJudgment]:
    rows = rows_of_table(stream, problems, columns, MEANINGS, delimiters=TAB, among=AMONG)
    yield from judgments_of(_with_answers(rows, problems), problems, columns)


def _with_answers(rows: Iterable[tuple[int, Cells]], problems: Problems) -> Iterator[tuple[int, Cells]]:
    aside: Counter[str] = Counter()
    for line, cells in rows:
        status = cells.get(STATUS.name, "")
        if status in GIVEN:
            yield line, cells
        else:
            aside[status.lower()] += 1
    for status, n in sorted(aside.items()):
        problems.note(0, f"{status} assignments, left aside: {n}")


FORMAT: FileFormat[Iterator[OutsideJudgment]] = FileFormat(
    "toloka", "Toloka assignments (TSV)", is_toloka, _read, _columns, mapped=True
)
