"""A session ends when it is not used, and two weeks after it began; one that is used is stored once an hour."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from tests.factories import make_user
from touchstone.sessions import BEGAN, LONGEST, RENEWED

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(make_user())
    return client


def is_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def left() -> timedelta:
    return Session.objects.get().expire_date - timezone.now()


def let_pass(seconds: float) -> None:
    session = Session.objects.get()
    session.expire_date -= timedelta(seconds=seconds)
    session.save()


def test_a_session_that_is_not_used_ends(client: Client) -> None:
    assert (is_in(client), round(left().total_seconds(), -2)) == (True, settings.SESSION_COOKIE_AGE)
    let_pass(settings.SESSION_COOKIE_AGE)
    assert not is_in(client)


def test_a_session_that_is_used_lives_on_and_is_stored_once_an_hour(client: Client) -> None:
    let_pass(RENEWED - 60)
    before = left()
    assert (is_in(client), left() <= before) == (True, True)
    let_pass(120)
    assert (is_in(client), left() > before) == (True, True)


def test_no_session_lives_longer_than_two_weeks(client: Client) -> None:
    session = client.session
    session[BEGAN] -= LONGEST.total_seconds() + 1
    session.save()
    assert not is_in(client)


def test_a_session_begins_once(client: Client) -> None:
    began = client.session[BEGAN]
    let_pass(2 * RENEWED)
    assert is_in(client)
    assert client.session[BEGAN] == began
