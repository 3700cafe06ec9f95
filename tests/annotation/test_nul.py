"""A NUL in an address is no address, and none in a cookie is a session, whatever the database thinks of it."""

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.annotation.refused_fields import problem_of, refused_fields
from tests.factories import make_collection, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]


@pytest.mark.parametrize(
    "path",
    [
        "/c/bees/topics/%00",
        "/c/bees/documents/a%00b",
        "/c/bees/documents/?q=%00",
        "/c/bees/runs/tagged/%00",
        "/c/bees/audit/?verb=%00",
        "/c/bees/leaderboard/?snapshot=%00",
        "/jobs/%00/",
        "/judge/%00/",
        "/sign-in/%00",
    ],
)
def test_a_nul_in_an_address_leads_nowhere(path: str) -> None:
    admin = make_user()
    make_collection("bees", admin=admin)
    client = Client()
    client.force_login(admin)
    answer = client.get(path)
    assert (answer.status_code, "default-src 'none'" in answer.headers["Content-Security-Policy"]) == (404, True)


@pytest.mark.parametrize(
    "path",
    [
        "collections/bees/annotators/%00/pause",
        "collections/bees/annotators/a%00b/exclude",
        "collections/bees/qrels/%00",
        "jobs/%00",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_api_says_so_in_json(path: str, method: str) -> None:
    admin = make_user()
    make_collection("bees", admin=admin)
    client = Client()
    client.force_login(admin)
    answer = client.generic(method, f"/api/v1/{path}", b"1\tone", content_type="text/plain")
    assert problem_of(answer) == (404, "Not found.")


@pytest.mark.parametrize(("query", "name"), [("imports?filename=a%00b", "filename"), ("documents?q=%00", "q")])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_api_names_the_parameter(query: str, name: str, method: str) -> None:
    answer = Client().generic(method, f"/api/v1/collections/bees/{query}", b"1\tone", content_type="text/plain")
    assert (answer.status_code, refused_fields(answer)) == (400, {name})


@pytest.mark.parametrize("value", ['"\\000"', '"abcdefgh\\000"', "a" * 31 + "\x00", "a" * 33, "A" * 32, "x" * 7000])
@pytest.mark.parametrize("path", ["/login", "/", "/healthz", "/no-such-page", "/api/v1/collections"])
def test_what_is_no_session_key_is_no_session(value: str, path: str) -> None:
    """A quoted cookie may hold any character by its octal number."""
    client = Client(raise_request_exception=False)
    plain = client.get(path).status_code
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path, headers={"cookie": f"touchstone_session={value}"})
    asked = [each for each in queries if "django_session" in each["sql"]]
    assert (answer.status_code, asked) == (plain, [])


def test_a_session_key_that_django_makes_is_one() -> None:
    client = Client()
    client.force_login(make_user())
    key = client.cookies["touchstone_session"].value
    assert Session.objects.filter(session_key=key).exists()
    assert client.get("/tokens").status_code == 200
