"""One's own API tokens, by API: made, listed, revoked; none reaches further than the one that made it."""

import pytest
from django.urls import reverse

from annotation.kernel.api_tokens import last_moment, make_api_token
from annotation.models import ApiToken
from tests.annotation.callers import MEMBERS, bearer, caller, statuses
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import make_people
from tests.factories import make_user

pytestmark = pytest.mark.django_db

ADDRESS = "/api/v1/tokens"
JSON = "application/json"


def test_who_may() -> None:
    assert statuses(make_people(), ADDRESS) == MEMBERS


def test_a_token_is_made_listed_and_revoked() -> None:
    client = caller(make_user())
    answer = client.post(ADDRESS, {"name": "nightly", "scope": "judge", "days": 7}, JSON)
    assert (answer.status_code, answer.json()["scope"], answer.json()["revoked_at"]) == (201, "judge", None)
    secret, prefix = answer.json()["token"], answer.json()["prefix"]
    assert bearer(secret).get("/api/v1/collections").status_code == 200
    (new, own) = client.get(ADDRESS).json()["results"]
    assert (new["name"], new["prefix"], "token" in new, own["scope"]) == ("nightly", prefix, False, "admin")
    revoke = reverse("api_own_token_revoke", args=[prefix])
    assert client.post(revoke).json()["revoked_at"] is not None
    assert (client.post(revoke).status_code, bearer(secret).get(ADDRESS).status_code) == (404, 401)


def test_what_is_left_out_is_a_token_that_reads_for_ever() -> None:
    answer = caller(make_user()).post(ADDRESS, {"name": "x"}, JSON).json()
    assert (answer["scope"], answer["expires_at"]) == ("read", None)


@pytest.mark.parametrize(
    ("sent", "field"),
    [({}, "name"), ({"name": "x", "scope": "all"}, "scope"), ({"name": "x", "days": 0}, "days")],
)
def test_what_cannot_be_is_refused(sent: dict[str, object], field: str) -> None:
    answer = caller(make_user()).post(ADDRESS, sent, JSON)
    assert (answer.status_code, refused_fields(answer)) == (400, {field})


def test_a_token_makes_none_that_outlives_it() -> None:
    client = bearer(make_api_token(make_user(), name="week", expires_at=last_moment(7)))
    for days in ({}, {"days": 8}):
        assert refused_fields(client.post(ADDRESS, {"name": "x", **days}, JSON)) == {"days"}
    assert client.post(ADDRESS, {"name": "x", "days": 6}, JSON).status_code == 201


def test_a_token_of_somebody_else_is_none() -> None:
    make_api_token(make_user(), name="theirs")
    prefix = ApiToken.objects.get().prefix
    assert caller(make_user()).post(reverse("api_own_token_revoke", args=[prefix])).status_code == 404
    assert ApiToken.objects.filter(revoked_at=None).count() == 2
