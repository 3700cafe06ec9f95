"""Somebody who is paused or excluded is handed no new cards, loses nothing they hold, and goes on where they were."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.desk import desk_at, desk_of
from annotation.judging.steps.grading import Recorded, record_judgment
from annotation.judging.steps.undo import reopen
from annotation.models import Annotator, AuditEvent, ExclusionEvent, Judgment, Participation, PauseEvent, Rule
from annotation.trust.steps.exclusions import exclude_annotator, reinstate_annotator
from annotation.trust.steps.pausing import PauseError, pause_annotator, resume_annotator
from tests.factories import make_annotator, make_batch, make_collection

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]
NOW = timezone.now()


def at_work(n_batches: int = 1) -> list[Participation]:
    """One person's places in so many batches of a collection."""
    collection = make_collection()
    annotator = make_annotator(collection)
    return [make_batch(collection, [annotator], n_documents=3).participations.get() for _ in range(n_batches)]


def again(person: Participation) -> Participation:
    """The place as the next request reads it."""
    return Participation.objects.select_related("batch__collection", "annotator").get(pk=person.pk)


def pause(person: Participation, **options: str) -> None:
    pause_annotator(person.annotator, reason="Too fast", actor=None, **options)


def resume(person: Participation) -> None:
    resume_annotator(person.annotator, reason="Spoken with", actor=None)


def exclude(person: Participation) -> None:
    exclude_annotator(person.annotator, reason="Looked away", actor=None)


def reinstate(person: Participation, **options: str) -> None:
    reinstate_annotator(person.annotator, reason="Looked again", actor=None, **options)


def state(person: Participation) -> str:
    return desk_of(again(person), moment=NOW).state


@pytest.mark.parametrize(("hold", "bring_back"), [(pause, resume), (exclude, reinstate)])
def test_no_card_is_handed_out_in_any_batch_until_the_person_goes_on(hold, bring_back) -> None:  # type: ignore[no-untyped-def]
    places = at_work(2)
    hold(places[0])
    assert [claim_next(place, moment=NOW) for place in places] == [None, None]
    assert [state(place) for place in places] == ["held", "held"]
    bring_back(places[0])
    assert [state(place) for place in places] == ["start", "start"]
    assert all(claim_next(place, moment=NOW) for place in places)


def test_cards_in_hand_are_handed_in_and_nothing_follows() -> None:
    (person,) = at_work()
    first = claim_next(person, moment=NOW, ahead=True)
    assert first is not None
    pause(person)
    outcome, workspace = record_judgment(person, token=first.token, grade=1, moment=NOW, ahead=True)
    assert isinstance(outcome, Recorded)
    assert not outcome.judgment.surplus
    (second,) = workspace.cards
    _, workspace = record_judgment(person, token=second.token, grade=2, moment=NOW, ahead=True)
    assert (workspace.cards, desk_at(workspace).state) == ([], "held")
    assert list(Judgment.objects.order_by("pk").values_list("grade", "surplus")) == [(1, False), (2, False)]


def test_a_lease_that_lapsed_is_not_taken_up_again() -> None:
    (person,) = at_work()
    assert claim_next(person, moment=NOW)
    pause(person)
    assert claim_next(person, moment=NOW + timedelta(minutes=11)) is None


def test_the_last_judgment_may_still_be_undone() -> None:
    (person,) = at_work()
    card = claim_next(person, moment=NOW)
    assert card is not None
    record_judgment(person, token=card.token, grade=1, moment=NOW)
    pause(person)
    reopened = reopen(person, moment=NOW)
    assert reopened is not None
    outcome, _ = record_judgment(person, token=reopened.token, grade=2, moment=NOW)
    assert isinstance(outcome, Recorded)


def test_others_go_on() -> None:
    collection = make_collection()
    one, two = make_annotator(collection), make_annotator(collection)
    batch = make_batch(collection, [one, two])
    pause_annotator(one, reason="Too fast", actor=None)
    assert claim_next(batch.participations.get(annotator=two), moment=NOW)
    assert sum(p.annotator.gets_cards for p in batch.participations.select_related("annotator")) == 1


def test_it_stands_in_the_record_with_its_rule() -> None:
    (person,) = at_work()
    pause(person, rule=Rule.SPEED, told="Please take a rest.")
    resume(person)
    rows = PauseEvent.objects.order_by("pk").values_list("action", "rule", "reason", "told")
    assert list(rows) == [("pause", "speed", "Too fast", "Please take a rest."), ("resume", "", "Spoken with", "")]
    audited = AuditEvent.objects.order_by("pk").values_list("verb", "subject", "detail")
    name = person.annotator.pseudonym
    pause_detail = {"reason": "Too fast", "rule": "speed", "told": "Please take a rest.", "new_cards": "no"}
    resume_detail = {"reason": "Spoken with", "ended": "Too fast", "new_cards": "yes"}
    assert list(audited) == [("annotator paused", name, pause_detail), ("annotator resumed", name, resume_detail)]


def test_an_exclusion_stands_there_with_its_reason_also_when_it_is_over() -> None:
    (person,) = at_work()
    long = "x" * 500
    exclude_annotator(person.annotator, reason=long, actor=None, rule=Rule.ACCURACY)
    pause(person)
    reinstate(person, rule=Rule.CORRECTION)
    out, _, back = AuditEvent.objects.order_by("pk").values_list("detail", flat=True)
    cut = "x" * 199 + "…"
    assert out == {"reason": cut, "rule": "accuracy", "new_cards": "no"}
    assert back == {"reason": "Looked again", "rule": "correction", "ended": cut, "new_cards": "no"}, "paused still"


def test_what_is_so_already_is_refused() -> None:
    (person,) = at_work()
    with pytest.raises(PauseError, match="is not paused"):
        resume(person)
    pause(person)
    with pytest.raises(PauseError, match="paused already"):
        pause(person)
    assert PauseEvent.objects.count() == 1


def test_reinstating_by_hand_ends_a_pause_too_and_by_a_rule_does_not() -> None:
    (person,) = at_work()
    pause(person)
    exclude(person)
    reinstate(person, rule=Rule.CORRECTION)
    assert state(person) == "held"
    exclude(person)
    reinstate(person)
    assert state(person) == "start"
    assert list(PauseEvent.objects.order_by("pk").values_list("action", flat=True)) == ["pause", "resume"]


def test_resuming_leaves_an_exclusion() -> None:
    (person,) = at_work()
    pause(person)
    exclude(person)
    resume(person)
    assert state(person) == "held"


def test_a_claim_asks_no_more_than_before() -> None:
    """The flag comes with the row that is read anyway."""
    (person,) = at_work()
    with CaptureQueriesContext(
        connection,
    ) as asked:
        claim_next(person, moment=NOW)
    assert not [query for query in asked if "pauseevent" in query["sql"] or "exclusionevent" in query["sql"]]


def test_who_was_excluded_before_this_was_kept_is_held_too() -> None:
    collection = make_collection()
    out, back, in_ = (make_annotator(collection) for _ in range(3))
    for annotator, action in ((out, "exclude"), (back, "exclude"), (back, "reinstate")):
        ExclusionEvent.objects.create(collection=collection, annotator=annotator, action=action, reason="r")
    import_module("annotation.migrations.0004_trusting").hold_excluded(apps, None)
    assert list(Annotator.objects.filter(gets_cards=False)) == [out]
    assert {back, in_} == set(Annotator.objects.filter(gets_cards=True))
