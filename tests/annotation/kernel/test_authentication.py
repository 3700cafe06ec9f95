"""Who gets in: tokens, sessions, and nobody else."""

from datetime import timedelta

import pytest
from django.core.serializers import serialize
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.kernel.api_tokens import make_api_token, revoke_api_token
from annotation.kernel.jobs import enqueue
from annotation.models import ApiToken, Job, User
from tests.annotation.callers import bearer
from tests.annotation.refused_fields import problem_of
from tests.factories import make_collection, make_user

pytestmark = pytest.mark.django_db

ADDRESS = "/api/v1/collections"
REFUSED = (401, "The token is unknown or revoked, or its account is closed.")


@pytest.fixture
def person() -> User:
    return make_user("someone")


def test_a_token_lets_its_person_in(person: User) -> None:
    collection = make_collection("bees", admin=person)
    answer = bearer(make_api_token(person, name="mine")).get(ADDRESS)
    assert (answer.status_code, [row["slug"] for row in answer.json()["results"]]) == (200, [collection.slug])


def test_the_page_shows_the_token_once_and_only_its_hash_is_kept(person: User) -> None:
    browser = Client()
    browser.force_login(person)
    shown = browser.post(reverse("api_tokens"), {"name": "mine", "scope": "read"}).context["secret"]
    assert bearer(shown).get(ADDRESS).status_code == 200
    assert shown not in browser.get(reverse("api_tokens")).text
    assert shown not in serialize("json", ApiToken.objects.all())
    stored = ApiToken.objects.get().secret_hash
    assert bearer(stored).get(ADDRESS).status_code == 401


def test_without_a_token_the_answer_says_what_is_wanted() -> None:
    answer = Client().get(ADDRESS)
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, 'Bearer realm="Touchstone"')
    assert answer.json()["detail"] == "Authentication credentials were not provided."


@pytest.mark.parametrize("secret", ["", " ", "unknown", "two words", "ümlaut", "x" * 5000])
def test_a_token_that_is_none_is_refused(secret: str) -> None:
    answer = bearer(secret).get(ADDRESS)
    assert problem_of(answer) == REFUSED


def test_a_revoked_token_is_refused(person: User) -> None:
    secret, other = make_api_token(person, name="lost"), make_api_token(person, name="kept")
    revoke_api_token(person, prefix=secret[:8])
    assert problem_of(bearer(secret).get(ADDRESS)) == REFUSED
    assert bearer(other).get(ADDRESS).status_code == 200


def test_a_closed_account_is_refused(person: User) -> None:
    secret = make_api_token(person, name="mine")
    User.objects.filter(pk=person.pk).update(is_active=False)
    assert problem_of(bearer(secret).get(ADDRESS)) == REFUSED


def test_a_bad_token_is_refused_even_beside_a_good_session(person: User) -> None:
    browser = bearer("unknown")
    browser.force_login(person)
    assert browser.get(ADDRESS).status_code == 401


def test_another_scheme_is_no_token(person: User) -> None:
    secret = make_api_token(person, name="mine")
    assert Client(headers={"Authorization": f"Token {secret}"}).get(ADDRESS).status_code == 401


@pytest.mark.parametrize(("seconds", "noted"), [(50, False), (70, True)])
def test_use_is_noted_at_most_once_a_minute(person: User, seconds: int, noted: bool) -> None:
    client = bearer(make_api_token(person, name="mine"))
    client.get(ADDRESS)
    assert ApiToken.objects.get().last_used_at is not None
    before = timezone.now() - timedelta(seconds=seconds)
    ApiToken.objects.update(last_used_at=before)
    client.get(ADDRESS)
    assert (ApiToken.objects.get().last_used_at != before) is noted


def test_a_session_may_read_but_changes_something_only_with_its_csrf_token(person: User) -> None:
    job = enqueue("check_import", collection=make_collection(admin=person), created_by=person)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(person)
    cancel = reverse("api_job_cancel", args=[job.token])
    assert browser.get(ADDRESS).status_code == 200
    assert browser.post(cancel, content_type="application/json").status_code == 403
    assert Job.objects.get().state == "queued"
    browser.get(reverse("api_tokens"))  # a page with a form sets the cookie
    csrf = browser.cookies["touchstone_csrf"].value
    answer = browser.post(cancel, content_type="application/json", headers={"X-CSRFToken": csrf})
    assert answer.status_code == 200
    assert Job.objects.get().state == "cancelled"


def test_a_token_needs_no_csrf_token(person: User) -> None:
    job = enqueue("check_import", collection=make_collection(admin=person), created_by=person)
    secret = make_api_token(person, name="mine")
    program = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {secret}"})
    assert program.post(reverse("api_job_cancel", args=[job.token])).status_code == 200
