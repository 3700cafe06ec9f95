"""Makes judgments from the cells of any format, checks each, and reports at the end what concerns all of them."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import TypeAlias

from annotation.formats.column_names import ENDED, MILLISECONDS, SECONDS, STARTED
from annotation.formats.fields import REPLACEMENT, WHITE, id_fault, shown, text_fault, whole_number
from annotation.formats.file_formats import Columns
from annotation.formats.grade_map import GradeReader, grade_map_of
from annotation.formats.mapped import Cells
from annotation.formats.outside.rows import OutsideJudgment
from annotation.formats.outside.times import between, milliseconds, moment
from annotation.formats.problems import Problems

Durations: TypeAlias = tuple[int | None, int | None]

TIMED = frozenset(each.name for each in (STARTED, ENDED, SECONDS, *MILLISECONDS))
NO_DURATIONS: Durations = (None, None)
MAX_ANNOTATOR = 100  # characters, as a pseudonym has
MAX_COMMENT = 10_000
EMPTY = "the grade is empty (in the map of grades, =cannot takes empty ones as cannot judge)"
MACHINE = "machine"  # in the column of kinds that our own files have


def judgments_of(rows: Iterable[tuple[int, Cells]], problems: Problems, columns: Columns) -> Iterator[OutsideJudgment]:
    """A judgment for each `(line, cells)` that is one; the others are problems. `columns` may hold a map of grades."""
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
        grades = grade_map_of(columns, problems)
        self._problems, self._grades, self._without_zone = problems, GradeReader(grades), 0
        self._no_grade = None if grades.code("") is not None else EMPTY

    def judgment(self, cells: Cells, line: int) -> OutsideJudgment | None:
        number, docno = cells.get("number", "").strip(WHITE), cells.get("docno", "").strip(WHITE)
        annotator, comment = cells.get("annotator", "").strip(WHITE), cells.get("comment", "").strip(WHITE)
        text, at = cells.get("grade", "").strip(WHITE), cells.get("at", "").strip(WHITE)
        fault = id_fault(number, "topic number") or id_fault(docno, "docno") or _annotator_fault(annotator)
        fault = fault or (None if text else self._no_grade) or (comment and _comment_fault(comment))
        evidence, no_evidence = _evidence_in(cells)
        fault = fault or no_evidence
        time, no_time = self._time(at)
        fault = fault or no_time
        durations, ended, no_duration = self._durations(cells, time)
        fault = fault or no_duration
        if fault:
            self._problems.add(line, fault)
            return None
        grade = self._grades.grade(text, line)
        if grade is None:
            return None
        is_machine = cells.get("kind", "").strip(WHITE) == MACHINE
        made_at = time or ended
        return OutsideJudgment(
            number, docno, annotator, grade, made_at, comment, line, evidence, is_machine, *durations
        )

    def _time(self, text: str) -> tuple[datetime | None, str | None]:
        """The moment that a cell tells, and why it tells none; neither for an empty one."""
        time = moment(text) if text else None
        if text and time is None:
            return None, f"the time {shown(text)} is not ISO 8601, nor Unix seconds, between 1970 and 2200"
        if time is not None and time.tzinfo is None:
            self._without_zone += 1
            return time.replace(tzinfo=UTC), None
        return time, None

    def _durations(self, cells: Cells, at: datetime | None) -> tuple[Durations, datetime | None, str | None]:
        """`((wall, active), when it ended, why there is no duration)`: as recorded, in seconds, else from start to end,
        which is the time of the judgment where no column of its own says it."""
        if not TIMED & cells.keys():
            return NO_DURATIONS, None, None
        recorded = [cells.get(each.name, "").strip(WHITE) for each in (SECONDS, *MILLISECONDS)]
        started, no_start = self._time(cells.get(STARTED.name, "").strip(WHITE))
        ended, no_end = self._time(cells.get(ENDED.name, "").strip(WHITE))
        if fault := no_start or no_end:
            return NO_DURATIONS, None, fault
        try:
            seconds, active, wall = map(milliseconds, recorded, (1000, 1, 1))
            if wall is None:
                wall = between(started, ended or at) if seconds is None else seconds
        except ValueError as error:
            return NO_DURATIONS, None, str(error)
        return (wall, active), ended, None

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
