"""Results of Amazon Mechanical Turk: a CSV with `HITId`, `WorkerId`, `Input.…`, `Answer.…`.

The annotator is `WorkerId`, the time `SubmitTime`, the duration `WorkTimeInSeconds`. Topic and
document are among the `Input.` columns, grade and comment among the `Answer.` ones: taken where one
alone can be meant, and else to be chosen. Rejected assignments are left aside.
"""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from annotation.formats.column_names import ANNOTATOR, AT, COMMENT, DOCNO, DURATION, GRADE, NUMBER
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.mapped import Cells, columns_of_table, header_in, rows_of_table
from annotation.formats.mapping import Among, Meaning
from annotation.formats.outside.making import judgments_of
from annotation.formats.outside.rows import OutsideJudgment
from annotation.formats.problems import Problems
from annotation.formats.tables import COMMAS

REJECTED = "Rejected"
STATUS = Meaning("status", ("assignmentstatus",), needed=False)
MEANINGS = (COMMENT, NUMBER, DOCNO, GRADE, ANNOTATOR, AT, *DURATION, STATUS)
AMONG = {
    "number": Among("Input."),
    "docno": Among("Input."),
    "grade": Among("Answer.", any_name=True),
    "comment": Among("Answer."),
}


def is_mturk(head: bytes) -> bool:
    header = header_in(head)[1]
    return {"HITId", "WorkerId"} <= set(header) and any(name.startswith("Answer.") for name in header)


def _columns(head: bytes) -> list[tuple[str, str]]:
    return [(column, meaning.replace(STATUS.name, "")) for column, meaning in columns_of_table(head, MEANINGS, AMONG)]


def _read(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[OutsideJudgment]:
    rows = rows_of_table(stream, problems, columns, MEANINGS, delimiters=COMMAS, among=AMONG)
    yield from judgments_of(_accepted(rows, problems), problems, columns)


def _accepted(rows: Iterable[tuple[int, Cells]], problems: Problems) -> Iterator[tuple[int, Cells]]:
    rejected = 0
    for line, cells in rows:
        if cells.get(STATUS.name) == REJECTED:
            rejected += 1
        else:
            yield line, cells
    if rejected:
        problems.note(0, f"rejected assignments, left aside: {rejected}")


FORMAT: FileFormat[Iterator[OutsideJudgment]] = FileFormat(
    "mturk", "Mechanical Turk results (CSV)", is_mturk, _read, _columns, mapped=True
)
