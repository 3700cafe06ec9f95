"""An experiment planned by page, API and command: one number, the same words."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import touchstone
from tests.annotation.callers import caller
from tests.annotation.roles import RESEARCH_ONLY, make_people
from tests.evaluation.management.calling import called

pytestmark = pytest.mark.django_db

PAGE = "/c/bees/experiments/plan"
QUESTIONS: list[dict[str, str]] = [
    {"design": "groups", "rate": "0.15", "relative": "0.01"},
    {"design": "groups", "rate": "0.15", "n": "10000", "n_tests": "3"},
    {"design": "groups", "deviation": "2", "baseline": "8", "relative": "0.1", "ratio": "0.5", "power": "0.9"},
    {"design": "topics", "deviation": "0.2", "difference": "0.03", "cluster_size": "4", "correlation": "0.2"},
    {"design": "topics", "deviation": "0.2", "difference": "0.03", "n": "50", "alpha": "0.01"},
    {"design": "interval", "rate": "0.1", "width": "0.02"},
    {"design": "interval", "deviation": "0.25", "n": "60"},
]


def test_who_plans() -> None:
    people = make_people()
    assert people.statuses(PAGE) == RESEARCH_ONLY


def as_numbers(question: dict[str, str]) -> dict[str, Any]:
    return {name: json.loads(value) if name != "design" else value for name, value in question.items()}


def test_page_api_command_and_library_say_the_same() -> None:
    people = make_people()
    client, api = Client(), caller(people.researcher)
    client.force_login(people.researcher)
    for question in QUESTIONS:
        options = [f"--{name.removeprefix('n_').replace('_', '-')}={value}" for name, value in question.items()][1:]
        command = json.loads(called("plan_experiment", question["design"], *options, "--json")[0])
        answer = api.get(reverse("api_experiment_plan", args=["bees"]), question)
        assert answer.json() == command, question
        page = client.get(PAGE, question)
        assert (page.status_code, page.context["sentences"]) == (200, command["words"])
        assert page.context["plan"] == touchstone.plan(**as_numbers(question))
        assert page.context["command"].split()[:3] == ["manage.py", "plan_experiment", question["design"]]
        words = page.context["command"].split()[2:]
        assert json.loads(called("plan_experiment", *words, "--json")[0]) == command


def test_the_page_at_first_and_by_design() -> None:
    people = make_people()
    client = Client()
    client.force_login(people.admin)
    first = client.get(PAGE)
    assert (first.status_code, first.context["plan"].n) == (200, 35_582)
    assert "35,582" in first.content.decode()
    interval = client.get(PAGE, {"design": "interval"})
    assert [field.name for field in interval.context["form"].main_fields] == ["rate", "deviation", "width", "n"]
    assert interval.context["upwards"] == "± of the interval"


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ({"rate": "0.15"}, "Name the difference, or the size"),
        ({"rate": "x", "n": "10"}, "Enter a number"),
        ({"rate": "0.15", "n": "1"}, "greater than or equal to 2"),
        ({"rate": "nan", "n": "10"}, "Enter a number"),
        ({"design": "guess", "rate": "0.15"}, "not one of the available choices"),
    ],
)
def test_what_cannot_be_planned(query: dict[str, str], reason: str) -> None:
    people = make_people()
    client = Client()
    client.force_login(people.researcher)
    page = client.get(PAGE, query)
    assert (page.status_code, reason in page.content.decode()) == (422, True)
    assert caller(people.researcher).get(reverse("api_experiment_plan", args=["bees"]), query).status_code == 400


def test_the_api_refuses_a_parameter_that_it_does_not_know() -> None:
    people = make_people()
    answer = caller(people.researcher).get(reverse("api_experiment_plan", args=["bees"]), {"rates": "0.15"})
    assert answer.json()["errors"] == {"rates": ["There is no such parameter."]}
