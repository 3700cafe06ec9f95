"""Members by the API: listed, given roles, removed, and a link for a lost password."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEvent, Membership, Role, SignInLink, User
from tests.annotation.callers import caller, callers, statuses
from tests.annotation.counting import queries_of
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people
from tests.factories import make_collection, make_member, make_user

pytestmark = pytest.mark.django_db
JSON, LIST = "application/json", reverse("api_people", args=["bees"])
ADMINS = {"admin": 200, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
OTHERS = {who: status for who, status in ADMINS.items() if who != "admin"}


@pytest.fixture
def people() -> People:
    return make_people()


def one(username: str) -> str:
    return reverse("api_person", args=["bees", username])


def link_to(username: str) -> str:
    return reverse("api_person_password_link", args=["bees", username])


def roles_of(people: People, person: User) -> set[str]:
    return set(Membership.objects.filter(collection=people.collection, user=person).values_list("role", flat=True))


def test_who_may(people: People) -> None:
    assert statuses(people, LIST) == statuses(people, one("annotator")) == ADMINS
    clients = {who: client for who, client in callers(people).items() if who != "admin"}
    wanted = {"roles": ["admin"]}
    assert {who: each.put(one("annotator"), wanted, JSON).status_code for who, each in clients.items()} == OTHERS
    assert {who: each.delete(one("annotator")).status_code for who, each in clients.items()} == OTHERS
    assert {who: each.post(link_to("annotator")).status_code for who, each in clients.items()} == OTHERS
    assert (roles_of(people, people.annotator), SignInLink.objects.count()) == ({"annotator"}, 0)


def test_who_is_no_member_here_is_not_found(people: People) -> None:
    admin = caller(people.admin)
    for username in ("outsider", "nobody"):
        assert admin.get(one(username)).status_code == 404
        assert admin.put(one(username), {"roles": ["admin"]}, JSON).status_code == 404
        assert admin.delete(one(username)).status_code == admin.post(link_to(username)).status_code == 404


def test_roles_are_changed_and_taken(people: People) -> None:
    admin = caller(people.admin)
    row = admin.put(one("researcher"), {"roles": ["researcher", "annotator"]}, JSON).json()
    assert (row["roles"], row["is_not_blind"], row["pseudonym"][:2]) == (["annotator", "researcher"], True, "A-")
    assert admin.delete(one("researcher")).status_code == 204
    assert roles_of(people, people.researcher) == set()
    verbs = AuditEvent.objects.filter(actor=people.admin).order_by("pk").values_list("verb", flat=True)
    assert list(verbs)[-4:] == ["role added", "role removed", "role removed", "member removed"]
    assert [row["username"] for row in admin.get(LIST).json()["results"]] == ["annotator", "lead"]


def test_the_last_admin_stays(people: People) -> None:
    admin = caller(people.admin)
    assert admin.put(one("lead"), {"roles": ["annotator"]}, JSON).status_code == 409
    assert admin.delete(one("lead")).status_code == 409
    assert roles_of(people, people.admin) == {Role.ADMIN}


@pytest.mark.parametrize("roles", [[], ["owner"], "admin", None, [1]])
def test_roles_that_cannot_be(people: People, roles: Any) -> None:
    answer = caller(people.admin).put(one("researcher"), {"roles": roles}, JSON)
    assert (answer.status_code, refused_fields(answer)) == (400, {"roles"})
    assert roles_of(people, people.researcher) == {"researcher"}


def test_a_link_for_a_lost_password(people: People) -> None:
    answer = caller(people.admin).post(link_to("annotator"))
    link = answer.json()["link"]
    assert (answer.status_code, answer["Cache-Control"]) == (201, "private, no-store")
    assert Client().get(link).status_code == 200
    assert link.rpartition("/")[2] not in str(list(AuditEvent.objects.values()))
    assert AuditEvent.objects.get(verb="password link made").collection == people.collection


def test_no_link_for_who_belongs_elsewhere_too(people: People) -> None:
    make_member(make_collection(admin=make_user()), people.annotator)
    assert caller(people.admin).post(link_to("annotator")).status_code == 403
    assert not SignInLink.objects.exists()


def test_queries_do_not_grow(people: People) -> None:
    client = caller(people.admin)
    three = queries_of(client, LIST, 3)
    make_member(people.collection), make_member(people.collection)
    assert queries_of(client, LIST, 5) == three
