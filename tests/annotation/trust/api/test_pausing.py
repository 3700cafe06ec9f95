"""Pausing and resuming annotators by the API."""

import pytest
from django.urls import reverse

from annotation.models import AuditEvent, PauseEvent
from annotation.trust.steps.exclusions import exclude_annotator
from tests.annotation.callers import caller, statuses
from tests.annotation.refused_fields import problem_of, refused_fields
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import make_worked

pytestmark = pytest.mark.django_db
JSON = "application/json"


def started() -> People:
    people = make_people()
    make_worked(people.collection)
    return people


def deed(name: str, pseudonym: str = "Amber") -> str:
    return reverse(f"api_annotator_{name}", args=["bees", pseudonym])


@pytest.mark.parametrize("name", ["pause", "resume"])
def test_deeds_are_the_admins(name: str) -> None:
    people = started()
    expected = {"admin": 415, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
    assert statuses(people, deed(name), "post") == expected
    assert caller(people.admin).post(deed(name, "Nobody"), {"reason": "x"}, JSON).status_code == 404
    assert caller(people.admin).get(deed(name)).status_code == 405


def test_pausing_and_going_on_with_a_reason() -> None:
    people = started()
    client = caller(people.admin)
    body = {"reason": "Much too fast.", "told": "Write to us."}
    answer = client.post(deed("pause"), body, JSON)
    expected = {"annotator": "Amber", "paused": True, "excluded": False, "gets_cards": False}
    assert (answer.status_code, answer.json()) == (200, expected)
    event = PauseEvent.objects.get()
    assert (event.reason, event.told, event.created_by, event.rule) == (*body.values(), people.admin, "")
    assert client.post(deed("pause"), body, JSON).json()["detail"] == "Amber is paused already."
    back = client.post(deed("resume"), {"reason": "She wrote."}, JSON).json()
    assert back == {"annotator": "Amber", "paused": False, "excluded": False, "gets_cards": True}
    again = client.post(deed("resume"), {"reason": "She wrote."}, JSON)
    assert problem_of(again) == (409, "Amber is not paused.")
    verbs = AuditEvent.objects.filter(subject="Amber").order_by("pk").values_list("verb", "actor__username")
    assert list(verbs) == [("annotator paused", "lead"), ("annotator resumed", "lead")]


def test_what_cannot_be_used_changes_nothing() -> None:
    client = caller(started().admin)
    for wrong in ({}, {"reason": ""}, {"reason": "x" * 501}, {"reason": "x", "told": "y" * 1001}):
        answer = client.post(deed("pause"), wrong, JSON)
        assert (answer.status_code, refused_fields(answer) <= {"reason", "told"}) == (400, True)
    assert not PauseEvent.objects.exists()


def test_who_goes_on_but_is_excluded_gets_no_cards() -> None:
    people = started()
    client = caller(people.admin)
    client.post(deed("pause"), {"reason": "x"}, JSON)
    exclude_annotator(people.collection.annotators.get(pseudonym="Amber"), reason="y", actor=people.admin)
    back = client.post(deed("resume"), {"reason": "z"}, JSON).json()
    assert (back["paused"], back["excluded"], back["gets_cards"]) == (False, True, False)
