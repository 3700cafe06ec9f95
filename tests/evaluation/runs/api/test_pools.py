"""Pools from runs by the API: counted first, then made."""

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import AuditEvent, Pool, PoolPair
from tests.annotation.callers import caller, callers
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People
from tests.evaluation.runs.views.test_pools import beginning

pytestmark = pytest.mark.django_db
JSON, ADDRESS = "application/json", reverse("api_pool_from_runs", args=["bees"])
WANTED = {"name": "top", "runs": ["two", "one"], "depth": 2}


@pytest.fixture
def people() -> People:
    return beginning()


def test_who_may(people: People) -> None:
    answers = {
        who: client.post(ADDRESS, {**WANTED, "name": who}, JSON).status_code for who, client in callers(people).items()
    }
    assert answers == {"admin": 201, "researcher": 201, "annotator": 403, "outsider": 404, "anonymous": 401}
    assert set(Pool.objects.values_list("name", flat=True)) == {"admin", "researcher"}


def test_counted_without_storing_anything(people: People) -> None:
    dry = {"runs": ["one", "two"], "depth": 1, "dry_run": True}
    answer = caller(people.researcher).post(ADDRESS, dry, JSON)
    counts = {"n_pairs": 4, "n_topics": 2, "fewest": 2, "most": 2, "empty": ["3"]}
    assert (answer.status_code, answer.json()) == (200, counts)
    assert not Pool.objects.exists()


def test_made_of_the_tops(people: People) -> None:
    answer = caller(people.researcher).post(ADDRESS, {**WANTED, "numbers": ["1"]}, JSON)
    row = answer.json()
    origin = {"kind": "runs", "depth": 2, "runs": ["one", "two"], "topics": ["1"]}
    assert (answer.status_code, row["n_pairs"], row["origin"]) == (201, 3, origin)
    assert set(PoolPair.objects.values_list("document__docno", flat=True)) == {"a", "b", "c"}
    assert AuditEvent.objects.get(verb="pool created").actor == people.researcher


@pytest.mark.parametrize("dry_run", [False, True])
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"runs": []}, "runs"),
        ({"runs": ["three"]}, "runs"),
        ({"runs": None}, "runs"),
        ({"depth": 0}, "depth"),
        ({"depth": 10_001}, "depth"),
        ({"numbers": ["9"]}, "numbers"),
        ({"numbers": []}, "numbers"),
    ],
)
def test_what_cannot_be_used(people: People, change: dict[str, Any], field: str, dry_run: bool) -> None:
    answer = caller(people.admin).post(ADDRESS, {**WANTED, **change, "dry_run": dry_run}, JSON)
    assert (answer.status_code, refused_fields(answer)) == (400, {field})
    assert not Pool.objects.exists()


def test_a_name_and_documents_that_are_here(people: People) -> None:
    admin = caller(people.admin)
    assert refused_fields(admin.post(ADDRESS, {"runs": ["one"], "depth": 1}, JSON)) == {"name"}
    assert refused_fields(admin.post(ADDRESS, {**WANTED, "runs": ["stray"]}, JSON)) == {"runs"}
    admin.post(ADDRESS, WANTED, JSON)
    assert refused_fields(admin.post(ADDRESS, WANTED, JSON)) == {"name"}
    assert Pool.objects.count() == 1
