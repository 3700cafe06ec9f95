"""The scale by the API."""

import pytest
from django.urls import reverse

from annotation.models import DEFAULT_GRADES, AuditEvent
from tests.annotation.callers import RESEARCH, caller, callers, statuses
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people
from tests.factories import make_batch

pytestmark = pytest.mark.django_db
JSON, SCALE = "application/json", reverse("api_scale", args=["bees"])
TWO = {"grades": [{"name": "No"}, {"name": "Yes", "definition": "It helps."}]}


@pytest.fixture
def people() -> People:
    return make_people()


def test_who_may(people: People) -> None:
    assert statuses(people, SCALE) == RESEARCH
    answers = {who: client.put(SCALE, TWO, JSON).status_code for who, client in callers(people).items()}
    assert answers == {"admin": 200, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}


def test_read_and_written(people: People) -> None:
    admin = caller(people.admin)
    assert admin.get(SCALE).json() == {"version": 1, "grades": DEFAULT_GRADES, "number_is_fixed": ""}
    scale = admin.put(SCALE, TWO, JSON).json()
    assert (scale["version"], [row["grade"] for row in scale["grades"]]) == (2, [0, 1])
    people.collection.refresh_from_db()
    assert people.collection.scale is not None
    assert people.collection.scale.grades == scale["grades"]
    assert AuditEvent.objects.get(verb="scale revised").actor == people.admin
    assert admin.put(SCALE, {"grades": admin.get(SCALE).json()["grades"]}, JSON).json()["version"] == 2


def test_the_number_of_grades_is_fixed_once_pairs_are_laid_out(people: People) -> None:
    make_batch(people.collection, [])
    admin = caller(people.admin)
    assert admin.put(SCALE, TWO, JSON).status_code == 409
    assert admin.get(SCALE).json()["number_is_fixed"]
    five = {"grades": [{"name": f"Grade {n}"} for n in range(5)]}
    assert admin.put(SCALE, five, JSON).status_code == 200


def test_what_cannot_be_used(people: People) -> None:
    admin = caller(people.admin)
    wrongs: list[dict[str, object]] = [
        {}, {"grades": []}, {"grades": [{"name": "a"}, {"name": "a"}]}, {"grades": [1, 2]},
    ]  # fmt: skip
    for wrong in wrongs:
        answer = admin.put(SCALE, wrong, JSON)
        assert (answer.status_code, refused_fields(answer)) == (400, {"grades"})
