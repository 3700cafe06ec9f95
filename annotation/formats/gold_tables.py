"""The tables of the gold pages, as `rows` makes CSV of them."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class GoldLine:
    """A gold pair with what people made of it. `accepted`: grades with blanks between. `evidence_against`: log odds."""

    number: str
    docno: str
    grade: int
    accepted: str
    seen: int
    judged: int
    right: int
    within_one: int
    evidence_against: float
    suspect: bool
    reason: str
    explanation: str
    set_on: str


@dataclass(frozen=True)
class BalanceLine:
    """How many gold pairs of a topic have the grade."""

    number: str
    grade: int
    pairs: int


@dataclass(frozen=True)
class SuspectLine:
    """`accepted`: grades with blanks between; `evidence_against`: log odds; `good`: people who do well on the other
    gold; `proposed`: the grade that most of those who missed agree on."""

    number: str
    docno: str
    grade: int
    accepted: str
    evidence_against: float
    judged: int
    missed: int
    expected_misses: float
    good: int
    good_missed: int
    proposed: int | None


@dataclass(frozen=True)
class AnswerLine:
    """What somebody gave to a suspect; `accuracy`: on the other gold, drawn towards chance where there is little."""

    number: str
    docno: str
    annotator: str
    grade: int
    right: bool
    good: bool
    accuracy: float
    other_gold: int


@dataclass(frozen=True)
class SupplyLine:
    """Gold pairs of a person; `missing`: those that would have to be set anew."""

    annotator: str
    state: str
    wanted: int
    judged: int
    to_come: int
    left: int
    missing: int


@dataclass(frozen=True)
class BatchLine:
    """A batch that is not closed; `short`: people who will not have gold enough; `not_in_it`: gold of its topics."""

    batch: str
    people: int
    gold_pairs: int
    cards_to_come: int
    short: int
    not_in_it: int


@dataclass(frozen=True)
class ObjectionLine:
    """`told_grade`: what the person was told; `answer` and `answered_at` are empty while it is open."""

    number: str
    docno: str
    annotator: str
    batch: str
    told_grade: int
    reason: str
    state: str
    answer: str
    made_at: datetime
    answered_at: datetime | None


GoldPageLine = BalanceLine | SuspectLine | AnswerLine | SupplyLine | BatchLine
