"""The table of gold as lines that leave."""

from collections.abc import Iterable

from annotation.formats.gold_tables import GoldLine
from annotation.review.read.wear import Worn


def gold_lines(worn: Iterable[Worn]) -> list[GoldLine]:
    return [_line(each) for each in worn]


def _line(worn: Worn) -> GoldLine:
    event = worn.event
    return GoldLine(
        number=event.topic.number,
        docno=event.document.docno,
        grade=event.grade or 0,
        accepted=" ".join(str(grade) for grade in event.accepted),
        seen=worn.n_seen,
        judged=worn.n_judged,
        right=worn.n_right,
        within_one=worn.n_near,
        evidence_against=worn.evidence,
        suspect=worn.is_suspect,
        reason=event.reason,
        explanation=event.explanation,
        set_on=event.created_at.date().isoformat(),
    )
