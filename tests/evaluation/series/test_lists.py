"""The list of series and that of the points of one: looked for, filtered, sorted, as CSV."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from evaluation.models import Series
from evaluation.series.steps.making import create_series
from tests.annotation.roles import People, make_people
from tests.evaluation.series.made import RULE, make_series

pytestmark = pytest.mark.django_db
LIST = "/c/bees/series/"


@pytest.fixture
def people() -> People:
    people = make_people()
    make_series(people.collection)
    return people


def rows(client: Client, address: str, **query: Any) -> list[Any]:
    return [each.row for each in client.get(address, query).context["rows"]]


def as_csv(client: Client, address: str, **query: Any) -> list[list[str]]:
    text = client.get(address, {**query, "as": "csv"}).getvalue().decode()
    return [line.split(",") for line in text.splitlines()]


def test_find_leads_to_a_series(people: People) -> None:
    page = people.client("researcher").get("/c/bees/find", {"q": "NIGHT"})
    assert f'href="{reverse("series", args=["bees", Series.objects.get(name="nightly").pk])}"' in page.text


@pytest.mark.both("text")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, ["measured", "nightly", "over"]),
        ({"q": "NIGHT"}, ["nightly"]),
        ({"kind": "gold"}, ["over"]),
        ({"alert": "True"}, ["nightly"]),
        ({"alert": "False"}, ["measured", "over"]),
        ({"alert": "perhaps"}, []),
        ({"sort": "-points"}, ["nightly", "over", "measured"]),
        ({"sort": "-name"}, ["over", "nightly", "measured"]),
    ],
)
def test_series_are_looked_for_and_sorted(people: People, query: dict[str, str], expected: list[str]) -> None:
    client = people.client("researcher")
    assert [each.name for each in rows(client, LIST, **query)] == expected
    assert [row[0] for row in as_csv(client, LIST, **query)[1:]] == expected


def test_a_series_says_how_it_stands(people: People) -> None:
    create_series(people.collection, name="new", kind="outside", created_by=None, **RULE)
    states = {row[0]: row[1] for row in as_csv(people.client("admin"), LIST)[1:]}
    assert states == {"nightly": "alert", "measured": "no point yet", "new": "no point yet", "over": "ended"}


def test_no_name_of_a_series_runs_in_a_spreadsheet(people: People) -> None:
    Series.objects.filter(name="nightly").update(name="=1+1")
    names = {row[0] for row in as_csv(people.client("admin"), LIST)[1:]}
    assert names == {"'=1+1", "measured", "over"}


def test_points_stay_unfolded_while_somebody_works_with_them(people: People) -> None:
    client, page = people.client("admin"), f"{LIST}{Series.objects.get(name='nightly').pk}/"
    is_open = ["<details open" in client.get(page + query).text for query in ("", "?page=1", "?alert-page=1")]
    assert is_open == [False, True, False]


def test_points_are_looked_for_and_sorted(people: People) -> None:
    client, series = people.client("researcher"), Series.objects.get(name="nightly")
    page = f"{LIST}{series.pk}/"
    assert len(rows(client, page)) == 50
    assert [each.rests_on for each in rows(client, page, q="Build")] == ["build 7"] * 3
    (missed,) = rows(client, page, source="schedule")
    assert (missed.n_missed, missed.value) == (2, None)
    assert [each.value for each in rows(client, page, sort="value")][:3] == [0.3] * 3
    columns_and_rows = as_csv(client, page, q="build", columns=["value", "low"])
    assert (columns_and_rows[0], columns_and_rows[1][1:]) == (["time", "value", "low"], ["0.3000", "0.2000"])


def test_a_refused_form_leads_to_the_points(people: People) -> None:
    series = Series.objects.get(name="nightly")
    answer = people.client("researcher").post(f"{LIST}{series.pk}/point", {})
    assert answer.status_code == 422
    assert f'href="{LIST}{series.pk}/#points"' in answer.text


def test_the_list_costs_the_same_however_many(people: People) -> None:
    client = people.client("researcher")

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            rows(client, LIST)
        return len(seen)

    few = queries()
    for n in range(3):
        create_series(people.collection, name=f"new-{n}", kind="outside", created_by=None, **RULE)
    assert queries() == few


def test_alerts_are_a_list_beside_that_of_points(people: People) -> None:
    client, series = people.client("researcher"), Series.objects.get(name="nightly")
    page = f"{LIST}{series.pk}/"
    newest, *older = series.alerts.order_by("-pk")
    assert (newest.closed_at, bool(older)) == (None, True)
    for query, expected in (
        ({}, [newest, *older]),
        ({"alert-open": "True"}, [newest]),
        ({"alert-open": "False"}, older),
        ({"alert-open": "perhaps"}, []),
        ({"alert-sort": "at", "q": "Build"}, [*reversed(older), newest]),
    ):
        assert [each.row for each in client.get(page, query).context["alerts"].rows] == expected
    assert as_csv(client, page, **{"alert-as": "csv"})[0][:2] == ["time", "value"]  # `as`: of the points
    answer = client.get(page, {"alert-as": "csv"})
    assert answer.headers["Content-Disposition"] == 'attachment; filename="bees-nightly-alerts.csv"'
    assert answer.getvalue().decode().splitlines()[0] == "at,runs,since,seen,closed,by,note"
