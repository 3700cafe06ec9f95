"""Information texts by the API: listed, read, written, revised."""

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import AuditEvent, Batch
from annotation.people.steps.information import revise_information
from tests.annotation.callers import RESEARCH, caller, callers, statuses
from tests.annotation.counting import queries_of
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people
from tests.factories import make_batch

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]
JSON, LIST = "application/json", reverse("api_information", args=["bees"])
OTHERS = {"researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}


@pytest.fixture
def people() -> People:
    people = make_people()
    revise_information(people.collection, text="First.", based_on=0, actor=people.admin)
    return people


def version(number: int, deed: str = "version") -> str:
    return reverse(f"api_information_{deed}", args=["bees", number])


def test_who_may(people: People) -> None:
    assert statuses(people, LIST) == statuses(people, version(1)) == RESEARCH
    clients = {who: client for who, client in callers(people).items() if who != "admin"}
    for address in (LIST, version(1, "revise")):
        assert {who: each.post(address, {"text": "Mine."}, JSON).status_code for who, each in clients.items()} == OTHERS
    assert people.collection.information_versions.count() == 1


def test_a_text_beside_and_one_in_its_place(people: People) -> None:
    first = people.collection.information_versions.get()
    batch = make_batch(people.collection, [], information=first)
    closed = make_batch(people.collection, [], information=first, state=Batch.State.CLOSED)
    admin = caller(people.admin)
    beside = admin.post(LIST, {"text": "Beside.\r\nIt."}, JSON)
    assert (beside.status_code, beside.json()["number"], beside.json()["text"], beside.json()["batches"]) == (
        *(201, 2, "Beside.\nIt.", []),
    )
    assert admin.get(version(1)).json()["batches"] == [batch.name]
    revised = admin.post(version(1, "revise"), {"text": "Third."}, JSON).json()
    assert (revised["number"], revised["batches"]) == (3, [batch.name])
    closed.refresh_from_db()
    assert closed.information == first
    rows = admin.get(LIST).json()["results"]
    assert [(row["number"], row["batches"], row["n_agreed"]) for row in rows] == [
        (3, [batch.name], 0),
        (2, [], 0),
        (1, [closed.name], 0),
    ]
    event = AuditEvent.objects.filter(verb="information revised").latest("pk")
    assert (event.actor, event.detail["batches"]) == (people.admin, 1)


@pytest.mark.parametrize("wrong", [{}, {"text": " "}, {"text": "x" * 20_001}, {"text": 7 * ["x"]}])
def test_what_cannot_be_used(people: People, wrong: dict[str, Any]) -> None:
    admin = caller(people.admin)
    for address in (LIST, version(1, "revise")):
        answer = admin.post(address, wrong, JSON)
        assert (answer.status_code, refused_fields(answer)) == (400, {"text"})
    assert admin.post(version(9, "revise"), {"text": "Mine."}, JSON).status_code == 404
    assert people.collection.information_versions.count() == 1


def test_queries_do_not_grow(people: People) -> None:
    admin = caller(people.admin)
    one = queries_of(admin, LIST, 1)
    for text in ("Two", "Three"):
        admin.post(LIST, {"text": text}, JSON)
    assert queries_of(admin, LIST, 3) == one
