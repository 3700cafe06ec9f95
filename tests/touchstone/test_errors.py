"""What is answered where the database or the disk takes nothing."""

import errno
import os
from collections.abc import Callable

import pytest
from django.contrib.auth.forms import AuthenticationForm
from django.db import InternalError, OperationalError, connection
from django.test import Client

from annotation.kernel.store import DamagedError, MissingError
from annotation.models import Collection
from tests.annotation.refused_fields import problem_of
from tests.factories import make_user
from touchstone.errors import WORDS, status_of

pytestmark = pytest.mark.django_db

ERRORS: list[tuple[Exception, int]] = [
    (OperationalError("database is locked"), 503),
    (OperationalError("attempt to write a readonly database"), 503),
    (OperationalError("unable to open database file"), 503),
    (OperationalError("database or disk is full"), 507),
    (InternalError("cannot execute"), 500),
    (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), 507),
    (OSError(errno.EDQUOT, os.strerror(errno.EDQUOT)), 507),
    (OSError(errno.EROFS, os.strerror(errno.EROFS)), 503),
    (PermissionError(errno.EACCES, "no"), 503),
    (ValueError("ours"), 500),
    (FileNotFoundError(errno.ENOENT, "no"), 500),
]


def failing(error: Exception) -> Callable[..., None]:
    def fail(*args: object, **kwargs: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize(("error", "status"), ERRORS)
def test_a_page_says_what_is_wrong(error: Exception, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AuthenticationForm, "clean", failing(error))
    answer = Client(raise_request_exception=False).post("/login", {"username": "a", "password": "b"})
    assert (answer.status_code, answer.headers.get("Retry-After")) == (status, "10" if status == 503 else None)
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert (WORDS[status] in answer.content.decode()) == (status != 500)
    assert '<a class="brand" href="/">' in answer.content.decode()


@pytest.mark.parametrize(("error", "status"), ERRORS)
def test_the_api_says_so_in_json(error: Exception, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.home.api.collections.Collections.get", failing(error))
    client = Client(raise_request_exception=False)
    client.force_login(make_user())
    answer = client.get("/api/v1/collections")
    assert problem_of(answer) == (status, WORDS[status])


@pytest.mark.parametrize(
    ("error", "is_here", "status"),
    [(DamagedError("ab" * 32), True, 500), (MissingError("ab" * 32), True, 500), (MissingError("ab" * 32), False, 503)],
)
def test_a_damaged_or_missing_file_is_named(
    error: Exception, is_here: bool, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is there the next time only where it is this machine that does not see the files."""
    monkeypatch.setattr("touchstone.errors.sees_files", lambda: is_here)
    monkeypatch.setattr(AuthenticationForm, "clean", failing(error))
    monkeypatch.setattr("annotation.home.api.collections.Collections.get", failing(error))
    client = Client(raise_request_exception=False)
    page = client.post("/login", {"username": "a", "password": "b"})
    client.force_login(make_user())
    answers = [page, client.get("/api/v1/collections")]
    assert [(each.status_code, "ab" * 32 in each.content.decode()) for each in answers] == [(status, True)] * 2
    assert [each.headers.get("Retry-After") for each in answers] == [None if is_here else "10"] * 2


@pytest.mark.both("sql")
def test_a_database_that_takes_nothing_is_a_503() -> None:
    """SQLite and PostgreSQL say so in ways of their own."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA query_only = ON")
        else:
            cursor.execute("SET LOCAL transaction_read_only = on")
        try:
            with pytest.raises((OperationalError, InternalError)) as refused:
                cursor.execute("UPDATE annotation_user SET username = username")
        finally:
            if connection.vendor == "sqlite":
                cursor.execute("PRAGMA query_only = OFF")
    assert status_of(refused.value) == 503


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_really_full_is_a_507() -> None:
    """SQLite is told to grow no further, as on a full disk; with room again the same request goes through."""
    if connection.vendor != "sqlite":
        pytest.skip("a full PostgreSQL wants a full disk; its code stands in the errors")
    client = Client(raise_request_exception=False)
    client.force_login(make_user(may_create_collections=True))
    sent = {"slug": "bees", "name": "Bees", "description": "x" * 5000}
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")  # what was deleted leaves no room
        (size,) = cursor.execute("PRAGMA page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count = {int(size)}")
        try:
            answer = client.post("/api/v1/collections", sent, content_type="application/json")
        finally:
            cursor.execute(f"PRAGMA max_page_count = {1 << 30}")
    assert problem_of(answer) == (507, WORDS[507])
    assert not Collection.objects.exists()
    assert client.post("/api/v1/collections", sent, content_type="application/json").status_code == 201
