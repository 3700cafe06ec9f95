"""Rows of what comes before judging: texts that people agree to, guidelines they read, rounds of training."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from annotation.formats.bundle.row_schema import OneOf
from annotation.formats.bundle.rows import Count, Docno, Fraction, Grade, Name, Number, Sha256, Small, Version


@dataclass(frozen=True)
class InformationRow:
    number: Version
    sha256: Sha256
    text: str
    created_at: datetime


@dataclass(frozen=True)
class ConsentRow:
    annotator: Name
    information: Version
    given_at: datetime


@dataclass(frozen=True)
class ReadingRow:
    """In the order in which people took note of them."""

    annotator: Name
    guideline: Version
    read_at: datetime


@dataclass(frozen=True)
class QualificationRow:
    name: Name
    state: Annotated[str, OneOf(("draft", "open", "closed"))]
    scale: Version
    pass_mark: Fraction
    most_attempts: Small
    created_at: datetime


@dataclass(frozen=True)
class QualificationPairRow:
    qualification: Name
    position: Count
    number: Number
    docno: Docno
    topic_sha256: Sha256
    document_sha256: Sha256
    accepted: list[Grade]
    hint: str
    explanation: str


@dataclass(frozen=True)
class AttemptRow:
    qualification: Name
    annotator: Name
    number: Small
    started_at: datetime
    ended_at: datetime | None
    passed: bool | None


@dataclass(frozen=True)
class AnswerRow:
    """`attempt` and `position` are the numbers of the attempt and of the pair."""

    qualification: Name
    annotator: Name
    attempt: Small
    position: Count
    grade: Grade
    answered_at: datetime
