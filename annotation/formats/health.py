"""The tables of a batch's health page → CSV. Pseudonyms and titles are free text, topic numbers ids: see `cells`."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import date, datetime

from annotation.formats.cells import csv_line, text_cell

IDS = frozenset({"topic"})


@dataclass(frozen=True)
class DayLine:
    day: date
    judgments: int
    people: int
    active_hours: float
    wall_hours: float


@dataclass(frozen=True)
class TopicLine:
    topic: str
    title: str
    pairs: int
    judgments_wanted: int
    judgments: int
    withheld: int
    cards_met: int
    could_not_judge: int
    pairs_compared: int
    pairwise_agreement: float | None


@dataclass(frozen=True)
class PersonLine:
    annotator: str
    takes_part: bool
    standing: str
    excluded: bool
    judgments: int
    skipped: int
    active_hours: float
    wall_hours: float
    judgments_per_active_hour: float | None
    median_seconds: float | None
    early: float | None
    hasty: float | None
    gold: int
    accuracy: float | None
    accuracy_low: float | None
    accuracy_high: float | None
    last_judged: datetime | None


@dataclass(frozen=True)
class AgreementLine:
    """`kind`: stretch, or so_far for everything up to its end."""

    kind: str
    begin: datetime | None
    end: datetime | None
    pairs: int
    alpha: float | None
    low: float | None
    high: float | None
    reason: str


@dataclass(frozen=True)
class GoldLine:
    begin: datetime | None
    end: datetime | None
    gold_judgments: int
    right: int
    accuracy: float
    low: float
    high: float


@dataclass(frozen=True)
class AlertLine:
    rule: str
    about: str
    level: float
    says: str
    set_aside: bool
    note: str


Line = DayLine | TopicLine | PersonLine | AgreementLine | GoldLine | AlertLine


def lines_csv(kind: type[Line], lines: Iterable[Line]) -> bytes:
    """A header line, then the rows in the order given: four decimals, times as ISO 8601 in UTC, yes or no."""
    names = [field.name for field in fields(kind)]
    return csv_line(names) + b"".join(csv_line([_cell(name, getattr(line, name)) for name in names]) for line in lines)


def _cell(name: str, value: object) -> object:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4f}"
        case datetime():
            return value.strftime("%Y-%m-%dT%H:%M:%SZ")
        case date():
            return value.isoformat()
        case str():
            return value if name in IDS else text_cell(value)
        case _:
            return value
