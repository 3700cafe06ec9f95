"""What lies on a person's desk with its texts, and what became of a deed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from django.http import Http404

from annotation.judging.pages.guidance import guideline_name
from annotation.judging.read.cards import CardContent, card_contents
from annotation.judging.read.own_results import NamedGrade
from annotation.judging.read.pauses import current_pause
from annotation.judging.steps.desk import Desk
from annotation.judging.steps.grading import Recorded, Refused
from annotation.models import Card, Participation

PAGE_NAME = re.compile(r"[a-z0-9]{1,22}")
MOVED_ON = "Another version has come into force meanwhile. This is it."
SKIPPED, PUT_OFF = "Skipped.", "Put off: it comes again at the end of its topic."
NOTHING_BEFORE = "There is nothing to go back to."


@dataclass(frozen=True)
class DeedResult:
    """What became of a deed: `outcome` is saved, replayed, refused or moved; `about` the token of its card."""

    outcome: str = "moved"
    about: str = ""
    text: str = ""
    saved: NamedGrade | None = None

    @property
    def sign(self) -> str:
        return "✓" if self.saved else ""


MOVED = DeedResult()


@contextmanager
def own_card() -> Iterator[None]:
    """A token that is not one of the person's cards: 404."""
    try:
        yield
    except Card.DoesNotExist as error:
        raise Http404("No such card.") from error


def contents_of(
    participation: Participation,
    cards: Sequence[Card],
    *,
    moment: datetime,
    first_whole: bool = False,
    more: Mapping[str, int] = MappingProxyType({}),
) -> list[CardContent]:
    """The cards with their texts, each with the name of the guideline that a judgment on it will carry, and with how
    much `more` there is of its topic.
    """
    contents = card_contents(cards, batch=participation.batch, moment=moment, first_whole=first_whole)
    names = [guideline_name(participation, card) for card in cards]
    return [
        replace(content, guideline=name, more=more.get(content.token))
        for content, name in zip(contents, names, strict=True)
    ]


def pause_context(participation: Participation, desk: Desk) -> dict[str, str]:
    """For a person whose judging is paused: what was written about this pause, and to everybody who is paused here."""
    if desk.state != "held":
        return {}
    pause = current_pause(participation.annotator)
    note = participation.batch.collection.pause_note
    return {"pause_message": pause.told if pause else "", "pause_note": note}


def named_grade(participation: Participation, grade: int) -> NamedGrade:
    return NamedGrade(grade, participation.batch.scale.name_of(grade))


def result_of_grade(participation: Participation, outcome: Recorded | Refused, token: str) -> DeedResult:
    """Of a grade that was handed in with the card of this token."""
    if isinstance(outcome, Refused):
        return DeedResult("refused", token, outcome.reason)
    saved = named_grade(participation, outcome.judgment.grade)
    return DeedResult("replayed" if outcome.replayed else "saved", token, f"Saved: {saved.grade} {saved.name}", saved)


def result_of_undo(card: Card | None, token: str) -> DeedResult:
    return DeedResult("refused", token, NOTHING_BEFORE) if card is None else DeedResult(about=token)


def result_of_keep(participation: Participation, grade: int | None) -> DeedResult:
    if grade is None:
        return MOVED
    kept = named_grade(participation, grade)
    return DeedResult(text=f"Kept: {kept.grade} {kept.name}")
