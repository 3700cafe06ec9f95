"""The guideline by the API: read, its versions, a new one with worked examples."""

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import AuditEvent
from tests.annotation.callers import RESEARCH, caller, callers, statuses
from tests.annotation.counting import queries_of
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]
JSON = "application/json"
CURRENT, VERSIONS = reverse("api_guideline", args=["bees"]), reverse("api_guideline_versions", args=["bees"])
CASE = {"topic": "wintering", "document": "Bees eat honey.", "grade": 3, "reason": "It says what they eat."}
TEXT = {"introduction": "Read it all.\r\nTwice.", "based_on": 1, "cases": [CASE]}


@pytest.fixture
def people() -> People:
    return make_people()


def version(number: int) -> str:
    return reverse("api_guideline_version", args=["bees", number])


def test_who_may(people: People) -> None:
    members = {"admin": 200, "researcher": 200, "annotator": 200, "outsider": 404, "anonymous": 401}
    assert statuses(people, CURRENT) == members
    assert statuses(people, VERSIONS) == statuses(people, version(1)) == RESEARCH
    answers = {who: client.post(VERSIONS, TEXT, JSON).status_code for who, client in callers(people).items()}
    assert answers == {"admin": 201, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
    assert caller(people.admin).get(version(9)).status_code == 404


def test_a_new_version_with_a_worked_example(people: People) -> None:
    admin = caller(people.admin)
    answer = admin.post(VERSIONS, TEXT, JSON).json()
    assert (answer["number"], answer["introduction"], answer["cases"]) == (2, "Read it all.\nTwice.", [CASE])
    assert admin.get(CURRENT).json() == admin.get(version(2)).json() == answer
    assert admin.get(version(1)).json()["cases"] == []
    rows = admin.get(VERSIONS).json()["results"]
    assert [(row["number"], row["is_current"], row["created_by"]) for row in rows] == [
        (2, True, "lead"),
        (1, False, None),
    ]
    assert AuditEvent.objects.get(verb="guideline revised").actor == people.admin


def test_one_that_has_moved_on_is_not_overwritten(people: People) -> None:
    admin = caller(people.admin)
    admin.post(VERSIONS, TEXT, JSON)
    assert admin.post(VERSIONS, {**TEXT, "introduction": "Mine."}, JSON).status_code == 409
    assert admin.get(CURRENT).json()["number"] == 2


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"introduction": ""}, {"introduction"}),
        ({"introduction": "x" * 20_001}, {"introduction"}),
        ({"based_on": None}, {"based_on"}),
        ({"cases": [{**CASE, "grade": 9}]}, {"cases"}),
        ({"cases": [{**CASE, "grade": "four"}]}, {"cases"}),
        ({"cases": [{**CASE, "reason": ""}]}, {"cases"}),
        ({"cases": [{"topic": "alone"}]}, {"cases"}),
        ({"cases": [CASE] * 45}, {"cases"}),
    ],
)
def test_what_cannot_be_used(people: People, change: dict[str, Any], fields: set[str]) -> None:
    answer = caller(people.admin).post(VERSIONS, {**TEXT, **change}, JSON)
    assert (answer.status_code, refused_fields(answer)) == (400, fields)
    assert people.collection.guideline_versions.count() == 1


def test_queries_do_not_grow(people: People) -> None:
    admin = caller(people.admin)
    one = queries_of(admin, VERSIONS, 1)
    for number in (1, 2):
        admin.post(VERSIONS, {"introduction": f"Text {number}", "based_on": number}, JSON)
    assert queries_of(admin, VERSIONS, 3) == one
