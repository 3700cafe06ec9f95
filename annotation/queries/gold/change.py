"""A change of gold that somebody has in mind, as forms make it and the flow takes it."""

from dataclasses import dataclass

from annotation.models import Document, Topic


@dataclass(frozen=True)
class GoldChange:
    """What a pair is to be: gold of `grade`, with other `accepted` grades besides; or no gold, where that is None."""

    topic: Topic
    document: Document
    grade: int | None
    accepted: tuple[int, ...] = ()
    reason: str = ""
    explanation: str = ""

    @property
    def words(self) -> str:
        what = "withdrawn" if self.grade is None else f"set to {self.grade}"
        also = [str(grade) for grade in self.accepted if grade != self.grade]
        more = f" ({', '.join(also)} accepted besides)" if also and self.grade is not None else ""
        return f"topic {self.topic.number}, document {self.document.docno}: {what}{more}"
