"""The tables of the quality page as lines that leave."""

from collections.abc import Callable, Sequence

from annotation.formats.quality_tables import (
    CoefficientLine,
    DroppedLine,
    GradeLine,
    MachineGradeLine,
    MachineLine,
    QualityLine,
    TopicLine,
    WithheldLine,
)
from annotation.trust.pages.machine_lines import machine_grade_lines, machine_lines
from annotation.trust.pages.report import QualityReport
from annotation.trust.read.withheld import WithheldPair

Lines = Callable[[QualityReport], Sequence[QualityLine]]


def withheld_lines(pairs: Sequence[WithheldPair]) -> tuple[type[WithheldLine], Sequence[WithheldLine]]:
    """The one table that no policy changes."""
    lines = [
        WithheldLine(each.item.topic.number, each.item.document.docno, "; ".join(each.said), each.decided)
        for each in pairs
    ]
    return WithheldLine, lines


def quality_lines(table: str, report: QualityReport) -> tuple[type[QualityLine], Sequence[QualityLine]]:
    """Their kind and the lines. Raises `KeyError` for a table that there is not."""
    kind, lines = QUALITY_TABLES[table]
    return kind, lines(report)


def _coefficients(report: QualityReport) -> Sequence[QualityLine]:
    return [
        CoefficientLine(
            coefficient=row.name,
            value=row.found.value,
            low_over_documents=row.over_items.low if row.over_items else None,
            high_over_documents=row.over_items.high if row.over_items else None,
            low_over_topics=row.over_topics.low if row.over_topics else None,
            high_over_topics=row.over_topics.high if row.over_topics else None,
            pairs=row.found.n_items,
            judgments=row.found.n_judgments,
            reason=row.found.reason,
        )
        for row in (*report.agreement.first, *report.agreement.further)
    ]


def _topics(report: QualityReport) -> Sequence[QualityLine]:
    return [
        TopicLine(topic.number, topic.n_pairs, topic.exact, topic.pairwise, topic.n_kept, topic.n_open)
        for topic in report.topics
    ]


def _grades(report: QualityReport) -> Sequence[QualityLine]:
    return [GradeLine(person.pseudonym, share.grade, share.n) for person in report.people for share in person.grades]


def _dropped(report: QualityReport) -> Sequence[QualityLine]:
    return [
        DroppedLine(pair.number, pair.docno, pair.reason, pair.n_judgments, pair.min, pair.median, pair.max)
        for pair in report.dropped()
    ]


QUALITY_TABLES: dict[str, tuple[type[QualityLine], Lines]] = {
    "coefficients": (CoefficientLine, _coefficients),
    "topics": (TopicLine, _topics),
    "grades": (GradeLine, _grades),
    "dropped": (DroppedLine, _dropped),
    "machines": (MachineLine, lambda report: machine_lines(report.machines)),
    "machine-grades": (MachineGradeLine, lambda report: machine_grade_lines(report.machines)),
}
