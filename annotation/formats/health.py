"""The tables of a batch's health page, as `rows` makes CSV of them."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True)
class DayLine:
    day: date
    judgments: int
    people: int
    active_hours: float
    wall_hours: float


@dataclass(frozen=True)
class TopicLine:
    number: str
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
