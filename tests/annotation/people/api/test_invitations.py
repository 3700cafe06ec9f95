"""Invitations by the API: the links are in the answer that makes them, and nowhere else."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEvent, Invitation
from annotation.people.steps.invitations import make_invitations
from tests.annotation.callers import caller, callers, statuses
from tests.annotation.counting import queries_of
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]
JSON, LIST = "application/json", reverse("api_invitations", args=["bees"])
OTHERS = {"researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}


@pytest.fixture
def people() -> People:
    return make_people()


def withdraw(number: int) -> str:
    return reverse("api_invitation_withdraw", args=["bees", number])


def test_who_may(people: People) -> None:
    assert statuses(people, LIST) == {"admin": 200, **OTHERS}
    (invitation, _) = make_invitations(people.collection, role="annotator", notes=["x"], actor=people.admin)[0]
    clients = {who: client for who, client in callers(people).items() if who != "admin"}
    assert {who: each.post(LIST, {}, JSON).status_code for who, each in clients.items()} == OTHERS
    assert {who: each.post(withdraw(invitation.pk)).status_code for who, each in clients.items()} == OTHERS
    assert Invitation.objects.filter(withdrawn_at=None).count() == 1


def test_one_or_many_with_their_links(people: People) -> None:
    admin = caller(people.admin)
    answer = admin.post(LIST, {"role": "researcher", "notes": ["Ada", " Grace\nHopper "], "days": 3}, JSON)
    rows = answer.json()["invitations"]
    assert (answer.status_code, answer["Cache-Control"]) == (201, "private, no-store")
    assert [(row["note"], row["role"]) for row in rows] == [("Ada", "researcher"), ("Grace Hopper", "researcher")]
    assert [Client().get(row["link"]).status_code for row in rows] == [200, 200]
    assert len(admin.post(LIST, {"count": 4}, JSON).json()["invitations"]) == 4
    assert len(admin.post(LIST, {}, JSON).json()["invitations"]) == 1
    (event, *_) = AuditEvent.objects.filter(verb="invitations made").order_by("pk")
    assert (event.actor, event.detail["invitations"]) == (people.admin, 2)


def test_links_are_shown_once(people: People) -> None:
    admin = caller(people.admin)
    (invitation,) = admin.post(LIST, {"notes": ["Ada"]}, JSON).json()["invitations"]
    (row,) = admin.get(LIST).json()["results"]
    assert (row["id"], row["state"], row["created_by"], "link" in row) == (invitation["id"], "open", "lead", False)
    assert invitation["link"].rpartition("/")[2] not in str(list(AuditEvent.objects.values()))


def test_withdrawn(people: People) -> None:
    admin = caller(people.admin)
    (invitation,) = admin.post(LIST, {}, JSON).json()["invitations"]
    assert admin.post(withdraw(invitation["id"])).json()["state"] == "withdrawn"
    assert admin.post(withdraw(invitation["id"])).status_code == 409
    assert Client().get(invitation["link"]).status_code == 404
    assert AuditEvent.objects.filter(verb="invitation withdrawn", actor=people.admin).count() == 1


def test_an_invitation_to_another_collection_is_not_found(people: People) -> None:
    other = people.outsider.memberships.get().collection
    ((invitation, _),) = make_invitations(other, role="annotator", notes=[""], actor=people.outsider)
    assert caller(people.admin).post(withdraw(invitation.pk)).status_code == 404
    assert Invitation.objects.get().withdrawn_at is None


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"role": "owner"}, "role"),
        ({"count": 0}, "count"),
        ({"count": 501}, "count"),
        ({"count": 3, "notes": ["Ada"]}, "count"),
        ({"notes": ["x"] * 501}, "notes"),
        ({"notes": ["x" * 201]}, "notes"),
        ({"notes": [""]}, "notes"),
        ({"days": 0}, "days"),
        ({"days": 91}, "days"),
        ({"days": "soon"}, "days"),
    ],
)
def test_what_cannot_be_used(people: People, wrong: dict[str, Any], field: str) -> None:
    answer = caller(people.admin).post(LIST, wrong, JSON)
    assert (answer.status_code, refused_fields(answer)) == (400, {field})
    assert not Invitation.objects.exists()


def test_queries_do_not_grow(people: People) -> None:
    admin = caller(people.admin)
    admin.post(LIST, {}, JSON)
    one = queries_of(admin, LIST, 1)
    admin.post(LIST, {"count": 2}, JSON)
    assert queries_of(admin, LIST, 3) == one
