"""Collections made and described by the API, as on the page."""

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import DEFAULT_GRADES, AuditEvent, Collection, Role
from tests.annotation.callers import callers
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]
JSON, LIST, ONE = "application/json", reverse("api_collections"), reverse("api_collection", args=["bees"])


@pytest.fixture
def people() -> People:
    people = make_people()
    people.admin.may_create_collections = True
    people.admin.save()
    return people


def grades(*names: str) -> list[dict[str, object]]:
    return [{"name": name} for name in names]


def test_who_may(people: People) -> None:
    wanted = {"name": "Ants"}
    answers = {who: client.post(LIST, wanted, JSON).status_code for who, client in callers(people).items()}
    assert answers == {"admin": 201, "researcher": 403, "annotator": 403, "outsider": 403, "anonymous": 401}
    answers = {who: client.patch(ONE, {"name": who}, JSON).status_code for who, client in callers(people).items()}
    assert answers == {"admin": 200, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
    assert set(Collection.objects.values_list("name", flat=True)) == {"admin", "A collection", "Ants"}


def test_an_empty_collection(people: People) -> None:
    answer = callers(people)["admin"].post(LIST, {"name": "Ants and aphids", "language": "en"}, JSON)
    row = answer.json()
    assert (answer.status_code, row["slug"], row["roles"], row["grades"]) == (
        *(201, "ants-and-aphids", ["admin"], DEFAULT_GRADES),
    )
    assert set(row["counts"].values()) == {0}
    collection = Collection.objects.get(slug="ants-and-aphids")
    assert collection.memberships.get().role == Role.ADMIN
    event = AuditEvent.objects.get(verb="collection created")
    assert (event.collection, event.actor) == (collection, people.admin)


def test_a_scale_of_its_own(people: People) -> None:
    wanted = {
        "name": "Ants",
        "slug": "ants",
        "grades": [{"grade": 0, "name": "No"}, {"name": " Yes\n", "example": "x"}],
    }
    row = callers(people)["admin"].post(LIST, wanted, JSON).json()
    assert row["grades"] == [
        {"grade": 0, "name": "No", "definition": "", "example": ""},
        {"grade": 1, "name": "Yes", "definition": "", "example": "x"},
    ]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": None}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": "蟻"}, "slug"),
        ({"slug": "bees"}, "slug"),
        ({"slug": "a b"}, "slug"),
        ({"slug": "a\x00"}, "slug"),
        ({"language": "no tag"}, "language"),
        ({"description": "x" * 5001}, "description"),
        ({"grades": grades("only one")}, "grades"),
        ({"grades": grades(*(str(n) for n in range(12)))}, "grades"),
        ({"grades": grades("same", "Same")}, "grades"),
        ({"grades": grades("a", "")}, "grades"),
        ({"grades": [{"grade": 1, "name": "a"}, {"grade": 0, "name": "b"}]}, "grades"),
        ({"grades": [{"name": "a", "definition": "x" * 501}, {"name": "b"}]}, "grades"),
        ({"grades": "five"}, "grades"),
    ],
)
def test_what_cannot_be_used_makes_nothing(people: People, change: dict[str, Any], field: str) -> None:
    answer = callers(people)["admin"].post(LIST, {"name": "Ants", **change}, JSON)
    assert (answer.status_code, refused_fields(answer)) == (400, {field})
    assert Collection.objects.count() == 2


def test_what_is_not_sent_stays(people: People) -> None:
    admin = callers(people)["admin"]
    admin.patch(ONE, {"description": "Of hives.", "language": "EN-gb"}, JSON)
    row = admin.patch(ONE, {"name": "Bees"}, JSON).json()
    assert (row["name"], row["description"], row["language"]) == ("Bees", "Of hives.", "en-GB")
    assert AuditEvent.objects.filter(verb="collection described", actor=people.admin).count() == 2
    assert admin.patch(ONE, {"name": "Bees"}, JSON).status_code == 200
    assert AuditEvent.objects.filter(verb="collection described").count() == 2


@pytest.mark.parametrize(("change", "field"), [({"name": " "}, "name"), ({"language": "?"}, "language")])
def test_a_description_that_cannot_be(people: People, change: dict[str, str], field: str) -> None:
    answer = callers(people)["admin"].patch(ONE, change, JSON)
    assert (answer.status_code, refused_fields(answer)) == (400, {field})
