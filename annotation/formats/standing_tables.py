"""Who gets no cards, whom rules would pause, what is missing since, as `rows` makes CSV of it; and what waits and was
decided of contested pairs."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal


@dataclass(frozen=True)
class HeldLine:
    """A row an event that holds; `by`: who did it, or which rule."""

    annotator: str
    action: str
    by: str
    reason: str
    told: str
    at: datetime


@dataclass(frozen=True)
class ProposedLine:
    annotator: str
    rule: str
    reason: str


@dataclass(frozen=True)
class MissingLine:
    """Of a batch; `judgments_of`: excluded people, with commas between; `nobody_left`: of the missing judgments."""

    batch: str
    judgments_missing: int
    pairs: int
    judgments_of: str
    hours: float
    cost: Decimal | None
    nobody_left: int


@dataclass(frozen=True)
class AddedLine:
    """Slots that a batch was given after its layout."""

    batch: str
    slots_added: int
    judged: int
    more_than_asked_for: int
    not_needed: int


@dataclass(frozen=True)
class WaitingLine:
    """A contested pair without a decision; `why` with semicolons between. Nobody's grade is here."""

    number: str
    docno: str
    why: str
    people: int
    held_by: str


@dataclass(frozen=True)
class MindLine:
    """A share of the decisions with a grade given blind; low and high: Wilson, 95 %."""

    what: str
    share: float | None
    low: float | None
    high: float | None
    n: int


StandingLine = HeldLine | ProposedLine | MissingLine | AddedLine
ContestedLine = WaitingLine | MindLine
