"""A change of gold that somebody has in mind, as forms make it and the flow takes it."""

from dataclasses import dataclass

from annotation.models import Document, Topic


def pair_in_words(topic: Topic, document: Document) -> str:
    """As it stands in the middle of a sentence, and in the record."""
    return f"topic {topic.number}, document {document.docno}"


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
        return f"{pair_in_words(self.topic, self.document)}: {what}{more}"
