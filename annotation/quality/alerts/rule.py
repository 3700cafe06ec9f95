"""What a rule of alerts declares of itself, what it looks at, and what it gives."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Generic, Literal, TypeVar, cast

from annotation.quality.accuracy import Accuracy
from annotation.quality.annotators.pace import Pace
from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.over_time import AgreementOverTime

Number = TypeVar("Number", bound=float)
Subject = Literal["person", "gold of a person", "topic", "agreement", "moment", "day due"]


@dataclass(frozen=True)
class Alert:
    """Identified by `rule` and `about`: a pseudonym, a topic's number, or what the rule says; empty where it is the
    batch. `level` is in the rule's own unit, higher is worse. People are told of each `stage` that it comes to."""

    rule: str
    about: str
    level: float
    text: str
    stage: str = ""


@dataclass(frozen=True)
class Threshold(Generic[Number]):
    """A number that a collection may choose. `name` is stored; `default` is used where nothing is, and its type is that
    of the number. A `share` is 0 to 1, in percent on the page. `title` and `help` are shown in the form."""

    name: str
    default: Number
    lowest: float
    highest: float
    title: str
    help: str
    share: bool = False


@dataclass(frozen=True)
class AlertSettings:
    """The number of each threshold by its name."""

    values: Mapping[str, float]

    def __getitem__(self, threshold: Threshold[Number]) -> Number:
        return cast("Number", self.values[threshold.name])


@dataclass(frozen=True, eq=False)
class BatchFigures:
    """What the rules look at, of a batch that is open or paused.

    `people` are pseudonyms; the arrays that follow are (n_annotators,) each, and `accuracy` and `pace` of them too.
    `judging`: who gets cards now; `started`: who of them has judged in this batch; `early`: share of first judgments
    before the minimum time; `n_gold_ahead`: gold still laid out for them. `topics`: number, cards that people met, and
    those of them that they could not judge. `last`: when somebody judged last, or when it could have begun. `due`: the
    day by which it is wanted; `end`: when the last judgment is expected; each None where nobody has said, or can say.
    """

    people: Sequence[str]
    judging: Bools
    started: Bools
    early: Floats
    n_gold_ahead: Ints
    accuracy: Accuracy
    pace: Pace
    agreement: AgreementOverTime
    topics: Sequence[tuple[str, int, int]]
    has_gold: bool
    is_open: bool
    n_left: int  # judgments still wanted
    last: datetime | None
    due: date | None
    end: datetime | None
    now: datetime


@dataclass(frozen=True)
class AlertRule:
    """`name` is stored with what people say of its alerts. `subject`: what `about` names and where
    its link leads (templates/annotation/health/alert_about.html). An alert that was set aside comes
    back once its level has grown by `worse_by`."""

    name: str
    title: str
    advice: str
    subject: Subject
    worse_by: float
    find: Callable[[BatchFigures, AlertSettings], list[Alert]]
    thresholds: tuple[Threshold[int] | Threshold[float], ...] = ()

    def named(self, about: str) -> str:
        """What an alert is about, as a sentence says it: "topic 103", "due 29 November 2026"; times are UTC."""
        if self.subject == "topic":
            return f"topic {about}"
        if self.subject == "day due":
            return f"due {_day(date.fromisoformat(about))}"
        if self.subject == "moment":
            moment = datetime.fromisoformat(about)
            return f"since {_day(moment)}, {moment:%H:%M} UTC"
        return about


def _day(day: date) -> str:
    return f"{day:%-d %B %Y}"
