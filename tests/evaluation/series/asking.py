"""A series asked for and fed as its people do it."""

from datetime import timedelta
from typing import Any

from django.test import Client
from django.urls import reverse

from evaluation.models import Series
from tests.annotation.callers import caller
from tests.annotation.roles import People
from tests.evaluation.series.made import BEGIN, VALUE

ASKED: dict[str, Any] = {"name": "nightly", "n_history": 30, "horizon": 30, "rate": 0.05, "bad": "down"}


def begun(people: People, **asked: Any) -> Series:
    answer = caller(people.researcher).post(address(), {**ASKED, **asked}, content_type="application/json")
    assert answer.status_code == 201, answer.json()
    return Series.objects.get(pk=answer.json()["id"])


def address(name: str = "api_series_list", *rest: int) -> str:
    return reverse(name, args=["bees", *rest])


def points(some: slice = slice(None)) -> list[dict[str, Any]]:
    return [
        {"time": (BEGIN + timedelta(days=day)).isoformat(), "value": value}
        for day, value in list(enumerate(VALUE.tolist()))[some]
    ]


def send(client: Client, series: Series, some: slice = slice(None), **headers: str) -> Any:
    sent = {"points": points(some)}
    return client.post(address("api_series_points", series.pk), sent, content_type="application/json", headers=headers)


def page_of(people: People, series: Series, deed: str = "", **sent: Any) -> Any:
    at = f"/c/bees/series/{series.pk}/{deed}"
    client = people.client("researcher")
    return client.post(at, sent, follow=True) if deed else client.get(at)
