"""Signing in: what a stranger can send."""

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.test import Client
from django.utils import timezone

from annotation.models import User
from annotation.people.forms import LONGEST_NAME
from tests.factories import make_user
from touchstone.sign_in_limits import LIMITS

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


WRONG = {"username": "lead", "password": "wrong and secret"}
RIGHT = "correct horse battery"


@pytest.fixture
def lead() -> User:
    person = make_user("lead")
    person.set_password(RIGHT)
    person.save()
    return person


def sign_in(name: str = "lead", *, right: bool = False, address: str = "10.0.0.1") -> int:
    sent = {"username": name, "password": RIGHT if right else "wrong"}
    answer = Client(REMOTE_ADDR=address).post("/login", sent)
    return answer.status_code


def test_an_address_that_tries_many_names_is_closed_and_no_other(lead: User) -> None:
    codes = [sign_in(f"name{i}") for i in range(LIMITS["address"] + 2)]
    assert (codes[0], codes[-1]) == (200, 429)
    assert sign_in(right=True) == 429
    assert sign_in(right=True, address="10.0.0.2") == 302


def test_a_name_tried_from_many_addresses_is_closed_but_where_its_person_is_known(lead: User) -> None:
    assert sign_in(right=True, address="10.9.9.9") == 302
    codes = [sign_in(address=f"10.0.1.{i}") for i in range(LIMITS["name"] + 2)]
    assert (codes[0], codes[-1]) == (200, 429)
    assert sign_in(right=True, address="10.9.9.8") == 429
    assert sign_in(right=True, address="10.9.9.9") == 302
    assert sign_in("other", address="10.9.9.8") == 200


def test_nobody_is_locked_out_for_long(lead: User) -> None:
    """What is tried while a limit holds does not prolong it."""
    for i in range(LIMITS["name"]):
        sign_in(address=f"10.0.1.{i}")
    stored = list(AccessAttempt.objects.values_list("attempt_time", "failures_since_start"))
    assert sign_in(address="10.0.2.1") == 429
    assert list(AccessAttempt.objects.values_list("attempt_time", "failures_since_start")) == stored
    AccessAttempt.objects.update(attempt_time=timezone.now() - settings.AXES_COOLOFF_TIME)
    assert sign_in(right=True, address="10.0.2.1") == 302


def test_signing_in_makes_good_only_ones_own_mistakes(lead: User) -> None:
    for name in ("lead", "other", "third"):
        sign_in(name)
    sign_in(right=True)
    assert set(AccessAttempt.objects.values_list("username", flat=True)) == {"other", "third"}


def test_nothing_of_what_was_sent_is_stored(lead: User) -> None:
    Client().post("/login?next=/secret", {**WRONG, "pass": "secret"})
    Client().post("/login?next=/secret", {**WRONG, "pass": "secret"})
    attempt = AccessAttempt.objects.get()
    assert "secret" not in f"{attempt.get_data}{attempt.post_data}{attempt.path_info}{attempt.http_accept}"
    assert len(attempt.post_data) < 50
