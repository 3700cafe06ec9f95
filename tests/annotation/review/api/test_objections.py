"""Objections to gold by the API: listed, read, answered; a change of gold only once it is confirmed."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.gold.read.current import current_gold
from annotation.models import Appeal, AuditEvent, GoldEvent
from tests.annotation.callers import caller, statuses
from tests.annotation.refused_fields import refused_fields
from tests.annotation.review.views.test_appeals import object_to
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import make_worked

pytestmark = pytest.mark.django_db
JSON, LIST = "application/json", reverse("api_objections", args=["bees"])
ADMINS = {"admin": 200, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}


def started() -> tuple[People, Appeal, Client, str]:
    people = make_people()
    appeal = object_to(make_worked(people.collection), "Cedar", "G11")
    return people, appeal, caller(people.admin), reverse("api_objection", args=["bees", appeal.token])


def test_who_may() -> None:
    people, appeal, _, one = started()
    assert statuses(people, LIST) == statuses(people, one) == ADMINS
    entries = {"decision": "decline", "answer": "No."}
    assert caller(people.researcher).post(one, entries, JSON).status_code == 403
    assert caller(people.admin).get(reverse("api_objection", args=["bees", "unknown"])).status_code == 404
    appeal.refresh_from_db()
    assert appeal.state == "open"


def test_one_is_read_and_declined() -> None:
    people, _, client, one = started()
    (row,) = client.get(LIST).json()["results"]
    assert (row["annotator"], row["docno"], row["state"], row["reason"]) == ("Cedar", "G11", "open", "It <says> so.")
    objection = client.get(one).json()
    names = ("gold_now", "accepted_now", "has_changed", "n_others")
    assert [objection[name] for name in names] == [1, [1], False, 0]
    answer = client.post(one, {"decision": "decline", "answer": "Read again."}, JSON)
    outcome = answer.json()
    assert (answer.status_code, outcome["state"], outcome["answer"], outcome["answered_by"]) == (
        200, "declined", "Read again.", "lead",
    )  # fmt: skip
    assert AuditEvent.objects.latest("pk").verb == "objection declined"
    assert client.post(one, {"decision": "decline", "answer": "No."}, JSON).status_code == 409
    assert client.post(one, {"decision": "withdraw", "answer": "No."}, JSON).status_code == 409
    assert people.admin


@pytest.mark.parametrize(
    ("decision", "more", "grade"), [("correct", {"grade": 2, "accepted": [1]}, 2), ("withdraw", {}, None)]
)
def test_gold_changes_once_that_is_confirmed(decision: str, more: dict[str, Any], grade: int | None) -> None:
    people, appeal, client, one = started()
    entries = {"decision": decision, "answer": "You are right.", **more}
    before = GoldEvent.objects.count()
    asked = client.post(one, entries, JSON)
    assert (asked.status_code, asked.json()["n_told"], asked.json()["freed"]) == (202, 1, [])
    appeal.refresh_from_db()
    assert (GoldEvent.objects.count(), appeal.state) == (before, "open")
    wrong = client.post(one, {**entries, "seen": asked.json()["seen"], "bring_back": ["Dune"]}, JSON)
    assert (wrong.status_code, refused_fields(wrong)) == (400, {"bring_back"})
    assert client.post(one, {**entries, "seen": asked.json()["seen"] - 1}, JSON).status_code == 409
    done = client.post(one, {**entries, "seen": asked.json()["seen"]}, JSON)
    assert (done.status_code, done.json()["state"], done.json()["gold_now"]) == (200, "upheld", grade)
    gold = current_gold(people.collection).filter(document__docno="G11").first()
    assert (gold.grade if gold else None) == grade
    assert AuditEvent.objects.filter(verb="objection upheld", actor=people.admin).count() == 1


def test_what_cannot_be_used_changes_nothing() -> None:
    _, appeal, client, one = started()
    for wrong, field in (
        ({}, "decision"),
        ({"decision": "perhaps", "answer": "x"}, "decision"),
        ({"decision": "decline"}, "answer"),
        ({"decision": "correct", "answer": "x"}, "grade"),
        ({"decision": "correct", "answer": "x", "grade": 9}, "grade"),
        ({"decision": "correct", "answer": "x", "grade": 1, "accepted": [7]}, "accepted"),
    ):
        answer = client.post(one, wrong, JSON)
        assert (answer.status_code, field in refused_fields(answer)) == (400, True)
    assert client.post(one, {"decision": "settled", "answer": "Done."}, JSON).status_code == 409
    appeal.refresh_from_db()
    assert appeal.state == "open"
