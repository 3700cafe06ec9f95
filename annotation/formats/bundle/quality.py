"""Rows of what people said of quality: objections to gold with their answers, and notes on alerts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from annotation.formats.bundle.checked import Length, OneOf
from annotation.formats.bundle.rows import Count, Docno, Fraction, Grade, Name, Number


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
