"""What a token is for, asked of every operation that there is; and until when it works."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from annotation.kernel.api_tokens import make_api_token
from annotation.models import ApiToken
from tests.annotation.against_schema import operations
from tests.annotation.callers import bearer, caller
from tests.annotation.refused_fields import problem_of
from tests.factories import make_user

pytestmark = pytest.mark.django_db

BEYOND = "/api/problems/token-scope"
SAMPLES = {"pk": "1", "number": "1", "id": "1"}


def operations_with_address() -> Iterator[tuple[str, str, str]]:
    """Method, address with ids that nothing has, and the scope that its view says it wants."""
    for path, method in operations():
        address = "".join(
            SAMPLES.get(part, "none") if turn % 2 else part
            for turn, part in enumerate(path.replace("}", "{").split("{"))
        )
        wanted = getattr(getattr(resolve(address).func, "cls"), "token_scope", "admin")  # noqa: B009
        yield method, address, "read" if method == "get" else wanted


def is_beyond(client: Client, method: str, address: str) -> bool:
    answer = client.generic(method.upper(), address, b"{}", content_type="application/json")
    if answer.status_code != 403:
        return False
    return bool(answer.json()["type"] == BEYOND)


def test_no_operation_forgets_the_scope() -> None:
    reach = {"read": {"read"}, "judge": {"read", "judge"}, "admin": {"read", "judge", "admin"}}
    cases = list(operations_with_address())
    assert len(cases) > 50
    for scope, allowed in reach.items():
        client = caller(make_user(), scope)
        beyond = {(method, address) for method, address, _ in cases if is_beyond(client, method, address)}
        assert beyond == {(method, address) for method, address, wanted in cases if wanted not in allowed}


def test_what_has_no_method_of_reading_is_beyond_a_token_that_reads() -> None:
    client = caller(make_user(), "read")
    for method in ("PUT", "PATCH", "DELETE"):
        assert client.generic(method, "/api/v1/collections").json()["type"] == BEYOND


def test_an_expired_token_says_so() -> None:
    end = timezone.now() + timedelta(days=1)
    secret = make_api_token(make_user(), name="short", expires_at=end)
    assert bearer(secret).get("/api/v1/collections").status_code == 200
    ApiToken.objects.update(expires_at=timezone.now(), last_used_at=None)
    answer = bearer(secret).get("/api/v1/collections")
    assert (problem_of(answer)[0], answer.json()["type"]) == (401, "/api/problems/expired-token")
    assert ApiToken.objects.get().last_used_at is None
