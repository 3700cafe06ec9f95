"""Signing in: what a stranger can send."""

import pytest
from axes.models import AccessAttempt
from django.test import Client

from annotation.people.forms import LONGEST_NAME
from tests.factories import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]


@pytest.mark.parametrize("length", [151, 256, 5000, 4_000_000])
def test_a_name_longer_than_any_is_not_tried(length: int) -> None:
    client = Client(raise_request_exception=False)
    answer = client.post("/login", {"username": "x" * length, "password": "wrong"})
    assert (answer.status_code, AccessAttempt.objects.count()) == (200, 0)
    assert "at most 150 characters" in answer.content.decode()


@pytest.mark.parametrize("name", ["x" * 150, "ünï", "\N{LATIN SMALL LIGATURE FFI}" * 60])
def test_a_name_that_may_be_one_is_tried(name: str) -> None:
    """A ligature becomes three letters: what is stored may be longer than what was sent."""
    answer = Client(raise_request_exception=False).post("/login", {"username": name, "password": "wrong"})
    assert answer.status_code == 200
    assert all(len(attempt.username or "") <= 150 for attempt in AccessAttempt.objects.all())


def test_every_name_of_an_account_can_sign_in() -> None:
    field = make_user()._meta.get_field("username")
    assert field.max_length == LONGEST_NAME


def test_the_person_comes_in() -> None:
    person = make_user()
    person.set_password("correct horse battery")
    person.save()
    answer = Client().post("/login", {"username": person.username, "password": "correct horse battery"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
