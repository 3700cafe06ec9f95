"""Addresses that are none: a program is answered as everywhere, a person with a page."""

import pytest
from django.test import Client

from tests.annotation.refused_fields import problem_of
from tests.factories import make_collection, make_user

pytestmark = pytest.mark.django_db

UNKNOWN = [
    "/api",
    "/api/",
    "/api/v1/",
    "/api/v1/nothing",
    "/api/v2/collections",
    "/api/v1/collections/",
    "/api/v1/collections/not a slug",
    "/api/v1/collections/bees/snapshots/-1",
    "/api/v1/collections/bees/snapshots/one",
    "/api/v1/collections/bees/snapshots/99999999999999999999999",
    "/api/v1/collections/bees/imports/1.5",
    "/api/v1/jobs/ä",
]


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("address", UNKNOWN)
def test_the_api_answers_with_problem_details(address: str, method: str) -> None:
    admin = make_user()
    make_collection("bees", admin=admin)
    client = Client()
    client.force_login(admin)
    answer = getattr(client, method)(address)
    assert problem_of(answer)[0] in ({404} if method == "get" else {404, 405})


def test_a_page_stays_a_page() -> None:
    answer = Client().get("/nothing")
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
