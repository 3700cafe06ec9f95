"""Answers to what people object to: once, in words, and gold changes with those that are upheld."""

import pytest

from annotation.gold.read.current import GoldChange, current_gold
from annotation.judging.steps.own_results import raise_appeal
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Appeal, AuditEvent, Feedback, GoldEvent, User
from annotation.review.steps.appeals import AnswerError, decline_appeal, settle_appeal, uphold_appeal
from annotation.review.steps.gold_changes import change_gold
from annotation.trust.read.gold_effect import effect_of
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_member

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]


def objected(worked: Worked, *names: str, docno: str = "G09") -> list[Appeal]:
    """The people were told of all that they judged, and object to a pair on which they gave 4."""
    item = worked.items[docno]
    worked.batch.feedback, worked.batch.feedback_hours = "delayed", 0
    worked.batch.save()
    for name in names:
        assignment = item.assignments.get(annotator=worked.people[name])
        Feedback.objects.create(
            batch=worked.batch, annotator=worked.people[name], assignment=assignment, grade=1, accepted=[1],
            created_at=assignment.claimed_at,
        )  # fmt: skip
    return [raise_appeal(feedback, reason="It says so.") for feedback in Feedback.objects.order_by("pk")]


def beginning(*names: str) -> tuple[Worked, User, list[Appeal]]:
    worked = make_worked()
    return worked, make_member(worked.collection, role="admin"), objected(worked, *names)


def verbs() -> list[str]:
    return list(AuditEvent.objects.filter(verb__startswith="objection").order_by("pk").values_list("verb", flat=True))


def test_a_declined_appeal_leaves_gold_and_says_why() -> None:
    _, admin, (appeal,) = beginning("Amber")
    before = GoldEvent.objects.count()
    decline_appeal(appeal, answer="Read the second line.", actor=admin)
    appeal.refresh_from_db()
    assert (appeal.state, appeal.answer, appeal.answered_by, appeal.event) == (
        "declined", "Read the second line.", admin, None,
    )  # fmt: skip
    assert appeal.answered_at is not None
    assert GoldEvent.objects.count() == before
    assert verbs() == ["objection raised", "objection declined"]
    raised, declined = AuditEvent.objects.filter(verb__startswith="objection").order_by("pk")
    assert raised.detail == {"told": 1, "reason": "It says so."}
    assert declined.detail == {"told": 1, "objection": "It says so.", "answer": "Read the second line."}


def test_an_upheld_appeal_changes_gold_and_what_people_were_told() -> None:
    worked, admin, (amber, cedar) = beginning("Amber", "Cedar")
    change = GoldChange(amber.topic, amber.document, 4, (), "On an objection.")
    done = uphold_appeal(
        amber, answer="You are right.", change=change, effect=effect_of(worked.collection, change), actor=admin
    )
    amber.refresh_from_db()
    cedar.refresh_from_db()
    assert (amber.state, amber.event, cedar.state) == ("upheld", done.event, "open")
    assert current_gold(worked.collection).get(document__docno="G09").grade == 4
    assert done.effect.n_rescored == 3
    assert AuditEvent.objects.get(verb="objection upheld").detail == {
        "told": 1, "objection": "It says so.", "answer": "You are right.", "gold": "4 (accepted: 4)",
    }  # fmt: skip
    run = claim_job()
    assert run is not None
    run_job(run)
    assert set(Feedback.objects.values_list("grade", flat=True)) == {4} | (
        set(Feedback.objects.exclude(assignment__item=worked.items["G09"]).values_list("grade", flat=True))
    )
    settle_appeal(cedar, answer="It was changed.", actor=admin)
    cedar.refresh_from_db()
    assert (cedar.state, cedar.event) == ("upheld", done.event)


def test_all_who_objected_to_the_pair_are_answered_at_once_if_wanted() -> None:
    worked, admin, (amber, cedar) = beginning("Amber", "Cedar")
    change = GoldChange(amber.topic, amber.document, None, (), "On an objection.")
    effect = effect_of(worked.collection, change)
    uphold_appeal(amber, answer="Gone.", change=change, effect=effect, all_of_pair=True, actor=admin)
    assert set(Appeal.objects.values_list("state", "answer")) == {("upheld", "Gone.")}
    details = AuditEvent.objects.filter(verb="objection upheld").values_list("detail", flat=True)
    assert [detail["gold"] for detail in details] == ["withdrawn"] * 2
    assert verbs() == ["objection raised"] * 2 + ["objection upheld"] * 2
    assert not current_gold(worked.collection).filter(document=cedar.document).exists()


def test_nothing_is_answered_twice() -> None:
    worked, admin, (appeal,) = beginning("Amber")
    decline_appeal(appeal, answer="No.", actor=admin)
    change = GoldChange(appeal.topic, appeal.document, 4)
    before = GoldEvent.objects.count()
    with pytest.raises(AnswerError, match="already"):
        uphold_appeal(appeal, answer="Yes.", change=change, effect=effect_of(worked.collection, change), actor=admin)
    with pytest.raises(AnswerError, match="already"):
        decline_appeal(appeal, answer="No!", actor=admin)
    assert GoldEvent.objects.count() == before
    assert Appeal.objects.get().answer == "No."


def test_gold_that_changed_meanwhile_is_looked_at_again_and_the_appeal_stays_open() -> None:
    worked, admin, (appeal,) = beginning("Amber")
    change = GoldChange(appeal.topic, appeal.document, 4)
    effect = effect_of(worked.collection, change)
    other = GoldChange(appeal.topic, appeal.document, 2)
    change_gold(worked.collection, other, effect=effect_of(worked.collection, other), actor=None)
    with pytest.raises(AnswerError, match="changed meanwhile"):
        uphold_appeal(appeal, answer="Yes.", change=change, effect=effect, seen=effect.last_event, actor=admin)
    assert Appeal.objects.get().state == "open"


def test_what_was_not_changed_is_not_settled() -> None:
    _, admin, (appeal,) = beginning("Amber")
    with pytest.raises(AnswerError, match="has not changed since"):
        settle_appeal(appeal, answer="It is.", actor=admin)
    assert Appeal.objects.get().state == "open"
