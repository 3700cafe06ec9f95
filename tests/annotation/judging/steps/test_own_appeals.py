"""Objecting to what one was told: once a pair and person, only where something was told."""

import pytest
from django.db import IntegrityError, transaction

from annotation.judging.steps.own_results import AppealError, raise_appeal
from annotation.models import Appeal, AuditEvent, Feedback
from tests.factories import make_annotator, make_batch, make_collection, make_judgment

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]


def told_of(grade: int = 0, known: int = 3) -> Feedback:
    collection = make_collection()
    person = make_annotator(collection, pseudonym="A-1")
    batch = make_batch(collection, [person], n_documents=1)
    judgment = make_judgment(batch.items.get(), person, grade)
    return Feedback.objects.create(
        batch=batch, annotator=person, assignment=judgment.assignment, grade=known, accepted=[known],
        created_at=judgment.created_at,
    )  # fmt: skip


def test_an_appeal_says_what_was_told_and_is_on_record() -> None:
    feedback = told_of()
    appeal = raise_appeal(feedback, reason="It names no bird.")
    assert (appeal.state, appeal.told_grade, appeal.reason) == ("open", 3, "It names no bird.")
    assert (appeal.topic, appeal.document) == (feedback.assignment.item.topic, feedback.assignment.item.document)
    event = AuditEvent.objects.get(verb="objection raised")
    assert event.actor == feedback.annotator.user
    assert event.subject.startswith("A-1: topic ")


def test_one_waits_at_a_time_and_an_answer_about_the_same_grade_is_the_last_word() -> None:
    feedback = told_of()
    appeal = raise_appeal(feedback, reason="No.")
    with pytest.raises(AppealError, match="waits for an answer"):
        raise_appeal(feedback, reason="No, no.")
    Appeal.objects.filter(pk=appeal.pk).update(state="declined", answer="It does.", answered_at=feedback.created_at)
    with pytest.raises(AppealError, match="answered already"):
        raise_appeal(feedback, reason="Still no.")
    Feedback.objects.filter(pk=feedback.pk).update(grade=4, accepted=[4])
    raise_appeal(feedback, reason="Even less.")
    assert Appeal.objects.count() == 2


def test_there_is_nothing_to_say_to_a_grade_that_was_withdrawn() -> None:
    feedback = told_of()
    Feedback.objects.filter(pk=feedback.pk).update(accepted=[])
    with pytest.raises(AppealError, match="withdrawn"):
        raise_appeal(feedback, reason="No.")
    assert not Appeal.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"reason": ""},
        {"state": "declined"},
        {"answer": "early"},
        {"state": "upheld", "answer": "", "answered_at": "now"},
    ],
)
def test_the_database_holds_what_an_appeal_is(wrong: dict[str, object]) -> None:
    appeal = raise_appeal(told_of(), reason="No.")
    if "answered_at" in wrong:
        wrong = {**wrong, "answered_at": appeal.created_at}
    with pytest.raises(IntegrityError), transaction.atomic():
        Appeal.objects.filter(pk=appeal.pk).update(**wrong)
