"""The tables of the quality page as CSV files, but that of annotators."""

from collections.abc import Iterable
from typing import Any

from annotation.formats.snapshot_jsonl import DroppedPair
from annotation.kernel.tables import Column, Kind, Table
from annotation.trust.pages.agreement import COEFFICIENTS
from annotation.trust.pages.grade_shares import GradeShare
from annotation.trust.pages.machines import MACHINE_GRADES, MACHINES
from annotation.trust.pages.report import QualityReport
from annotation.trust.pages.topics import TOPICS
from annotation.trust.pages.topics_people import TOPICS_PEOPLE, people_on_topics
from annotation.trust.read.dropped import DroppedPairs
from annotation.trust.read.withheld import WithheldPair

GRADES: tuple[Column[tuple[str, GradeShare]], ...] = (
    Column("annotator", lambda row: row[0]),
    Column("grade", lambda row: row[1].grade, Kind.WHOLE),
    Column("given", lambda row: row[1].n, Kind.WHOLE),
)

DROPPED: tuple[Column[DroppedPair], ...] = (
    Column("number", lambda pair: pair.number, Kind.ID),
    Column("docno", lambda pair: pair.docno, Kind.ID),
    Column("reason", lambda pair: pair.reason),
    Column("judgments", lambda pair: pair.n_judgments, Kind.WHOLE),
    Column("min", lambda pair: pair.min, Kind.WHOLE),
    Column("median", lambda pair: pair.median, Kind.NUMBER),
    Column("max", lambda pair: pair.max, Kind.WHOLE),
)

# Pairs that people could not judge: by whom and why; the grade, once decided. No policy changes this table.
WITHHELD: tuple[Column[WithheldPair], ...] = (
    Column("number", lambda pair: pair.item.topic.number, Kind.ID),
    Column("docno", lambda pair: pair.item.document.docno, Kind.ID),
    Column("said", lambda pair: "; ".join(pair.skips)),
    Column("decided", lambda pair: pair.decided, Kind.WHOLE),
)


def _grades(report: QualityReport) -> Iterable[tuple[str, GradeShare]]:
    return ((person.pseudonym, share) for person in report.people for share in person.grades)


def _dropped(report: QualityReport) -> DroppedPairs:
    return report.dropped()


QUALITY_TABLES: dict[str, Table[QualityReport, Any]] = {
    "coefficients": Table(COEFFICIENTS, lambda report: (*report.agreement.first, *report.agreement.further)),
    "topics": Table(TOPICS, lambda report: report.topics),
    "topics-people": Table(TOPICS_PEOPLE, lambda report: people_on_topics(report.cells, report.outcome.table)),
    "grades": Table(GRADES, _grades),
    "dropped": Table(DROPPED, _dropped),
    "machines": Table(MACHINES, lambda report: report.machines),
    "machine-grades": Table(
        MACHINE_GRADES, lambda report: (cell for machine in report.machines for cell in machine.cells)
    ),
}
