"""Rows of what people decided of quality: who is left out or rests, contested pairs, objections, notes on alerts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from annotation.formats.bundle.row_schema import Absent, Length, OneOf
from annotation.formats.bundle.rows import (
    Count,
    Criterion,
    Docno,
    Fraction,
    Grade,
    Milliseconds,
    Name,
    Number,
    Version,
)

RULES = ("", "stop", "alarm", "speed", "accuracy", "correction")


@dataclass(frozen=True)
class ExclusionRow:
    annotator: Name
    action: Annotated[str, OneOf(("exclude", "reinstate"))]
    rule: Annotated[str, OneOf(RULES), Absent("", since=3)]
    reason: Annotated[str, Length(100_000, least=1)]
    created_at: datetime


@dataclass(frozen=True)
class PauseRow:
    """`told`: what the person read."""

    annotator: Name
    action: Annotated[str, OneOf(("pause", "resume"))]
    rule: Annotated[str, OneOf(RULES)]
    reason: Annotated[str, Length(100_000, least=1)]
    told: str
    created_at: datetime


@dataclass(frozen=True)
class AdjudicationRow:
    """A decision, or its withdrawal, which has no grade."""

    number: Number
    docno: Docno
    criterion: Criterion
    scale: Version
    action: Annotated[str, OneOf(("decide", "withdraw")), Absent("decide", since=3)]
    grade: Grade | None
    blind_grade: Annotated[Grade | None, Absent(None, since=3)]
    knew: Annotated[str, OneOf(("", "judged", "seen", "gold")), Absent("", since=3)]
    blind_ms: Annotated[Milliseconds | None, Absent(None, since=3)]
    decide_ms: Annotated[Milliseconds | None, Absent(None, since=3)]
    reason: Annotated[str, Length(100_000, least=1)]
    created_at: datetime


@dataclass(frozen=True)
class AppealRow:
    """`gold`: what an objection that was upheld has changed, as the place among the gold events of the pair, from 0."""

    batch: Name
    number: Number
    docno: Docno
    annotator: Name
    state: Annotated[str, OneOf(("open", "upheld", "declined"))]
    told_grade: Grade
    reason: Annotated[str, Length(100_000, least=1)]
    answer: str
    created_at: datetime
    answered_at: datetime | None
    gold: Count | None


@dataclass(frozen=True)
class AlertEventRow:
    """`about`: a pseudonym, a topic's number, or nothing where that is the batch."""

    batch: Name
    rule: Annotated[str, Length(20, least=1)]
    about: Annotated[str, Length(200)]
    action: Annotated[str, OneOf(("set_aside", "show"))]
    level: Fraction
    note: Annotated[str, Length(100_000, least=1)]
    created_at: datetime
