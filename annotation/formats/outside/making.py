"""Makes judgments from the cells of any format, checks each, and reports at the end what concerns all of them."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from annotation.formats.fields import REPLACEMENT, WHITE, id_fault, shown, text_fault, whole_number
from annotation.formats.file_formats import Columns
from annotation.formats.mapped import Cells
from annotation.formats.outside.grades import GradeReader, parse_grade_map
from annotation.formats.outside.rows import OutsideJudgment
from annotation.formats.outside.times import moment
from annotation.formats.problems import Problems

GRADES = "grades"  # among the chosen columns: what words are worth, see `parse_grade_map`
MAX_ANNOTATOR = 100  # characters, as a pseudonym has
MAX_COMMENT = 10_000
MACHINE = "machine"  # in the column of kinds that our own files have


def judgments_of(rows: Iterable[tuple[int, Cells]], problems: Problems, columns: Columns) -> Iterator[OutsideJudgment]:
    """A judgment for each `(line, cells)` that is one; the others are problems. `columns` may hold `GRADES`."""
    making, empty = _Making(problems, columns), True
    for line, cells in rows:
        empty = False
        judgment = making.judgment(cells, line)
        if judgment is not None:
            yield judgment
    making.tell()
    if empty and not problems:
        problems.add(0, "there is no judgment in this file")


class _Making:
    def __init__(self, problems: Problems, columns: Columns) -> None:
        try:
            grades = parse_grade_map(columns.get(GRADES, ""))
        except ValueError as error:
            raise problems.stop(0, f"the map of grades: {error}") from error
        self._problems, self._grades, self._without_zone = problems, GradeReader(grades), 0

    def judgment(self, cells: Cells, line: int) -> OutsideJudgment | None:
        number, docno = cells.get("number", "").strip(WHITE), cells.get("docno", "").strip(WHITE)
        annotator, comment = cells.get("annotator", "").strip(WHITE), cells.get("comment", "").strip(WHITE)
        text, at = cells.get("grade", "").strip(WHITE), cells.get("at", "").strip(WHITE)
        fault = id_fault(number, "topic number") or id_fault(docno, "docno") or _annotator_fault(annotator)
        fault = fault or (None if text else "the grade is empty") or (comment and _comment_fault(comment))
        evidence, no_evidence = _evidence_in(cells)
        fault = fault or no_evidence
        time = self._time(at) if at else None
        if at and time is None:
            fault = fault or f"the time {shown(at)} is not ISO 8601, nor Unix seconds, between 1970 and 2200"
        if fault:
            self._problems.add(line, fault)
            return None
        grade = self._grades.grade(text, line)
        if grade is None:
            return None
        is_machine = cells.get("kind", "").strip(WHITE) == MACHINE
        return OutsideJudgment(number, docno, annotator, grade, time, comment, line, evidence, is_machine)

    def _time(self, text: str) -> datetime | None:
        time = moment(text)
        if time is not None and time.tzinfo is None:
            self._without_zone += 1
            return time.replace(tzinfo=UTC)
        return time

    def tell(self) -> None:
        self._grades.tell(self._problems)
        if self._without_zone:
            self._problems.note(0, f"times without a time zone, taken as UTC: {self._without_zone}")


def _annotator_fault(text: str) -> str | None:
    if not text:
        return "the annotator is empty"
    if len(text) > MAX_ANNOTATOR:
        return f"the annotator is {len(text)} characters long, at most {MAX_ANNOTATOR} are allowed"
    if not text.isprintable() or REPLACEMENT in text:
        return f"the annotator {shown(text)} contains a character that cannot be printed"
    return None


def _comment_fault(text: str) -> str | None:
    if len(text) > MAX_COMMENT:
        return f"the comment is {len(text)} characters long, at most {MAX_COMMENT} are allowed"
    return text_fault(text, "comment")


def _evidence_in(cells: Cells) -> tuple[tuple[int, int] | None, str | None]:
    """`(start, end)` if the cells name a stretch, and why they do not where they try to."""
    texts = [cells.get(name, "").strip(WHITE) for name in ("evidence_start", "evidence_end")]
    if not any(texts):
        return None, None
    start, end = (whole_number(text) for text in texts)
    if start is None or end is None or not 0 <= start < end:
        return None, f"the evidence from {shown(texts[0])} to {shown(texts[1])} is no stretch of a text"
    return (start, end), None
