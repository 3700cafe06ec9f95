"""A word after 25 minutes, a break after 50: by the clock of the session, whatever the batches."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.desk import desk_of
from annotation.judging.steps.grading import record_judgment
from annotation.models import Participation, WorkSession
from tests.factories import make_annotator, make_batch, make_collection

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

NOW = timezone.now()
MINUTE = timedelta(minutes=1)


def started(**settings: object) -> Participation:
    """A person with a first card, handed out now."""
    collection = make_collection()
    batch = make_batch(collection, [make_annotator(collection)], n_documents=40, **settings)  # type: ignore[arg-type]
    person = batch.participations.get()
    assert claim_next(person, moment=NOW) is not None
    return person


def work_until(person: Participation, minutes: int) -> None:
    """A judgment every ten minutes, the last one then."""
    for minute in [*range(10, minutes, 10), minutes]:
        card = claim_next(person, moment=NOW + minute * MINUTE)
        if card is not None:
            record_judgment(person, token=card.token, grade=1, moment=NOW + minute * MINUTE)


def nudges(person: Participation, *minutes: int) -> list[bool]:
    return [desk_of(person, moment=NOW + each * MINUTE).session.nudge for each in minutes]


def test_the_nudge_comes_with_its_minute_and_stays_until_the_break() -> None:
    person = started(nudge_minutes=25, session_minutes=50)
    work_until(person, 24)
    assert nudges(person, 0, 24) == [False, False]
    assert nudges(person, 25, 30) == [True, True]
    work_until(person, 49)
    desk = desk_of(person, moment=NOW + 49 * MINUTE)
    assert (desk.session.nudge, desk.session.nudge_minutes, desk.session.limit_minutes) == (True, 25, 50)


def test_nobody_is_nudged_in_the_break_and_the_next_session_counts_anew() -> None:
    person = started(nudge_minutes=25, session_minutes=50, break_minutes=10)
    work_until(person, 50)
    desk = desk_of(person, moment=NOW + 51 * MINUTE)
    assert (desk.state, desk.session.nudge) == ("break", False)
    assert claim_next(person, moment=NOW + 59 * MINUTE) is None
    card = claim_next(person, moment=NOW + 61 * MINUTE)
    assert card is not None
    record_judgment(person, token=card.token, grade=1, moment=NOW + 75 * MINUTE)
    assert nudges(person, 62, 85, 86) == [False, False, True]


def test_who_was_away_begins_a_new_session() -> None:
    person = started(nudge_minutes=25)
    assert nudges(person, 26) == [False], "away for more than a quarter of an hour"
    assert claim_next(person, moment=NOW + 26 * MINUTE) is not None
    assert nudges(person, 30) == [False]
    assert WorkSession.objects.count() == 2


def test_none_is_wanted() -> None:
    person = started(nudge_minutes=0, session_minutes=50)
    work_until(person, 45)
    assert nudges(person, 45) == [False]


def test_the_session_is_of_the_person_and_the_nudge_of_the_batch() -> None:
    """Twenty minutes in one batch and six in another make twenty-six."""
    person = started(nudge_minutes=60)
    work_until(person, 20)
    other = make_batch(person.batch.collection, [person.annotator], nudge_minutes=25)
    there = other.participations.get()
    assert claim_next(there, moment=NOW + 21 * MINUTE) is not None
    assert nudges(there, 24, 26) == [False, True]
    assert nudges(person, 26) == [False]
