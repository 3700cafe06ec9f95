"""Policies by the API: what there are, a new one, and several on the same judgments."""

import pytest
from django.urls import reverse

from annotation.models import Policy
from annotation.quality.policy import Policy as Parameters
from tests.annotation.callers import RESEARCH, caller, statuses
from tests.annotation.refused_fields import reasons_of, refused_fields
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import make_worked

pytestmark = pytest.mark.django_db

ADDRESS, COMPARE = reverse("api_policies", args=["bees"]), reverse("api_policies_compare", args=["bees"])
MILD = {"accuracy_threshold": 0.5, "max_range": None, "count_machines": True}


@pytest.fixture
def people() -> People:
    return make_people()


def test_who_may(people: People) -> None:
    make_worked(people.collection)
    assert statuses(people, ADDRESS) == RESEARCH
    assert statuses(people, f"{COMPARE}?rule=median") == RESEARCH


def test_the_built_in_policy_is_there_from_the_start(people: People) -> None:
    (row,) = caller(people.researcher).get(ADDRESS).json()["results"]
    assert (row["name"], row["version"], row["created_at"], row["counts_machines"]) == ("default", 1, None, False)
    assert row["parameters"]["min_gold"] == 10
    assert row["parameters"]["count_machines"] is False
    assert row["sha256"] == Parameters().sha256


def test_a_new_one_its_next_version_and_the_same_again(people: People) -> None:
    client = caller(people.researcher)
    requests = [({"name": "mild", "parameters": MILD}, 201), ({"name": "mild", "parameters": {"min_gold": 5}}, 201)]
    requests.append(({"name": "mild", "parameters": {"min_gold": 5}}, 200))
    answers = [client.post(ADDRESS, body, "application/json") for body, _ in requests]
    assert [answer.status_code for answer in answers] == [code for _, code in requests]
    assert [answer.json()["version"] for answer in answers] == [1, 2, 2]
    first = answers[0].json()
    assert (first["parameters"]["max_range"], first["counts_machines"]) == (None, True)
    assert Policy.objects.filter(name="mild").count() == 2


@pytest.mark.parametrize(
    ("body", "field", "reason"),
    [
        ({"name": "x", "parameters": {"min_gold": -1}}, "parameters", "min_gold: must not be below 0, not -1"),
        ({"name": "x", "parameters": {"bees": 1}}, "parameters", "bees: is no parameter of a policy"),
        ({"name": "x", "parameters": {"count_machines": "yes"}}, "parameters", "count_machines: must be true or false"),
        ({"parameters": {}}, "name", "This field is required."),
    ],
)
def test_what_cannot_be_is_refused_by_its_name(people: People, body: object, field: str, reason: str) -> None:
    answer = caller(people.admin).post(ADDRESS, body, "application/json")
    assert answer.status_code == 400
    assert reasons_of(answer)[field][0].startswith(reason)
    assert not Policy.objects.exists()


def test_several_on_the_same_judgments(people: People) -> None:
    worked = make_worked(people.collection)
    client = caller(people.researcher)
    comparison = client.get(COMPARE, {"policy": "default v1", "rule": ["majority", "mean"]}).json()
    assert [row["name"] for row in comparison["rows"]] == ["default v1", "trial: majority", "trial: mean"]
    default, majority, mean = comparison["rows"]
    assert (default["n_kept"], default["n_to_decide"], majority["n_kept"]) == (2, 5, 5)
    assert {row["reason"]: row["n"] for row in default["dropped"]} == {"too_few": 2, "too_far_apart": 1}
    assert (comparison["n_gold"], comparison["dealt"], majority["on_gold"]["accuracy"]) == (
        20,
        "pairs",
        0.65,
    )  # 13 of 20: two ties go down to 1
    assert [(row["n_as_first"], row["n_both_keep"]) for row in (majority, mean)] == [(2, 2), (1, 2)]
    assert client.get(COMPARE, {"batch": worked.batch.token, "rule": "mace"}).status_code == 200


def test_nothing_asked_or_what_is_not_there_is_refused(people: People) -> None:
    assert caller(people.admin).get(COMPARE, {"rule": "median"}).status_code == 404  # nothing is judged
    make_worked(people.collection)
    client = caller(people.admin)
    assert client.get(COMPARE).status_code == 400
    assert refused_fields(client.get(COMPARE, {"rule": "bees"})) == {"rule"}
    assert refused_fields(client.get(COMPARE, {"policy": "none v1"})) == {"policy"}
