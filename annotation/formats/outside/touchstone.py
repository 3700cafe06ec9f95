"""Judgments as Touchstone gives them out: CSV or JSONL with the columns of `annotation.formats.judgments`.

Silent repeats (a reading after the first) are left aside: they are no revision. An apostrophe that
the CSV has before a formula is taken away again. A file of several criteria is refused, since
judgments made elsewhere have none.
"""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from annotation.formats.cells import without_guard
from annotation.formats.column_names import EVIDENCE, JUDGMENT, KIND, MILLISECONDS
from annotation.formats.fields import shown
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.first_bytes import head_objects, is_objects
from annotation.formats.mapped import Cells, header_in, keys_of, rows_of_objects, rows_of_table
from annotation.formats.mapping import Meaning, find_columns
from annotation.formats.objects import read_objects
from annotation.formats.outside.making import judgments_of
from annotation.formats.outside.rows import OutsideJudgment
from annotation.formats.problems import Problems

OWN = frozenset(("number", "docno", "annotator", "grade", "criterion", "batch", "revision", "reading", "created_at"))
OWN_MEANINGS = (*JUDGMENT, *EVIDENCE, *MILLISECONDS, KIND)
MEANINGS = (*OWN_MEANINGS, Meaning("reading", ("reading",)), Meaning("criterion", ("criterion",)))


def is_own_csv(head: bytes) -> bool:
    return set(header_in(head)[1]) >= OWN


def is_own_jsonl(head: bytes) -> bool:
    first = head_objects(head)[:1] if is_objects(head) else []
    return any(value.keys() >= OWN for value in first)


def _columns(head: bytes) -> list[tuple[str, str]]:
    file_columns = header_in(head)[1] or keys_of(head_objects(head)[:1])
    return find_columns(file_columns, OWN_MEANINGS, {}).meanings_of(file_columns)


def _read_csv(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[OutsideJudgment]:
    rows = rows_of_table(stream, problems, columns, MEANINGS, delimiters=",")
    unguarded = ((line, {meaning: _unguarded(cell, meaning) for meaning, cell in row.items()}) for line, row in rows)
    yield from judgments_of(_first_readings(unguarded, problems), problems, columns)


def _read_jsonl(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[OutsideJudgment]:
    rows = rows_of_objects(read_objects(stream, problems), problems, columns, MEANINGS)
    yield from judgments_of(_first_readings(rows, problems), problems, columns)


def _unguarded(cell: str, meaning: str) -> str:
    """Ids and grades are never guarded."""
    return without_guard(cell) if meaning in {"annotator", "comment"} else cell


def _first_readings(rows: Iterable[tuple[int, Cells]], problems: Problems) -> Iterator[tuple[int, Cells]]:
    criterion, repeats = None, 0
    for line, cells in rows:
        criterion = cells["criterion"] if criterion is None else criterion
        if cells["criterion"] != criterion:
            problems.add(line, f"the criterion is {shown(cells['criterion'])} and not {shown(criterion)}, as before")
        elif cells["reading"] == "1":
            yield line, cells
        else:
            repeats += 1
    if repeats:
        problems.note(0, f"silent repeats (readings after the first), left aside: {repeats}")


CSV: FileFormat[Iterator[OutsideJudgment]] = FileFormat(
    "touchstone-csv", "Touchstone judgments (CSV)", is_own_csv, _read_csv, _columns, mapped=True
)
JSONL: FileFormat[Iterator[OutsideJudgment]] = FileFormat(
    "touchstone-jsonl", "Touchstone judgments (JSONL)", is_own_jsonl, _read_jsonl, _columns, mapped=True
)
