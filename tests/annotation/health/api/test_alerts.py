"""Alerts by the API: listed, set aside with a note, shown again."""

import pytest
from django.urls import reverse

from annotation.health.pages.cached import clear_cache
from annotation.models import AlertEvent, AuditEvent, Batch
from tests.annotation.callers import RESEARCH, caller, statuses
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import make_worked
from tests.commands import ran

pytestmark = pytest.mark.django_db
JSON, LIST = "application/json", reverse("api_alerts", args=["bees"])
CEDAR = {"rule": "accuracy", "about": "Cedar"}


def started() -> tuple[People, Batch]:
    people = make_people()
    batch = make_worked(people.collection).batch
    Batch.objects.update(gold_share=0)
    clear_cache()
    return people, batch


def deed(name: str, batch: Batch) -> str:
    return reverse(f"api_alert_{name}", args=["bees", batch.token])


def test_who_may() -> None:
    people, batch = started()
    assert statuses(people, LIST) == RESEARCH
    expected = {"admin": 415, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
    for name in ("aside", "show"):
        assert statuses(people, deed(name, batch), "post") == expected


def test_they_are_listed_as_the_pages_have_them() -> None:
    people, batch = started()
    client = caller(people.researcher)
    (alert,) = client.get(LIST).json()["results"]
    assert (alert["batch"], alert["rule"], alert["about"], alert["set_aside"]) == (batch.token, *CEDAR.values(), False)
    assert (alert["name"], alert["level"]) == ("Wrong on gold", pytest.approx(0.2))
    assert alert["says"].startswith("Right on 6 of 12 gold pairs (50 %)")
    assert client.get(LIST, {"batch": batch.token}).json()["count"] == 1
    assert client.get(LIST, {"batch": "none"}).status_code == 404


def test_one_is_set_aside_with_a_note_and_shown_again() -> None:
    people, batch = started()
    client = caller(people.admin)
    aside = client.post(deed("aside", batch), {**CEDAR, "note": "I wrote to her."}, JSON)
    assert (aside.status_code, aside.json()["set_aside"], aside.json()["note"]) == (200, True, "I wrote to her.")
    assert client.get(LIST).json()["results"] == [aside.json()]
    assert client.post(deed("aside", batch), {**CEDAR, "note": "Again"}, JSON).status_code == 409
    shown = client.post(deed("show", batch), {**CEDAR, "note": "No answer."}, JSON).json()
    assert (shown["set_aside"], shown["note"]) == (False, "")
    assert client.post(deed("show", batch), {**CEDAR, "note": "x"}, JSON).status_code == 409
    assert list(AlertEvent.objects.order_by("pk").values_list("action", "created_by__username")) == [
        ("set_aside", "lead"), ("show", "lead"),
    ]  # fmt: skip
    assert set(AuditEvent.objects.filter(subject=batch.name).values_list("verb", flat=True)) >= {
        "alert set aside", "alert shown again",
    }  # fmt: skip


def test_a_command_lists_what_is_set_aside_with_its_note() -> None:
    people, batch = started()
    (line,) = ran("alert", "list", "bees").out.splitlines()
    assert line.startswith(f"{batch.name}: accuracy (Cedar): Right on 6 of 12")
    caller(people.admin).post(deed("aside", batch), {**CEDAR, "note": "I wrote to her."}, JSON)
    assert ran("alert", "list", "bees").out == f"{line} [set aside: I wrote to her.]\n"


def test_what_cannot_be_used_changes_nothing() -> None:
    people, batch = started()
    client = caller(people.admin)
    for wrong, status in (
        ({**CEDAR}, 400),
        ({**CEDAR, "note": "x" * 2001}, 400),
        ({**CEDAR, "rule": "nothing", "note": "x"}, 400),
        ({"rule": "accuracy", "about": "Amber", "note": "x"}, 404),
    ):
        assert client.post(deed("aside", batch), wrong, JSON).status_code == status
    assert not AlertEvent.objects.exists()
