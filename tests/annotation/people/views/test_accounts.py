"""Signing in, passwords, one-time links, API tokens: over HTTP."""

from datetime import timedelta

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from annotation.kernel.api_tokens import make_api_token
from annotation.models import ApiToken, AuditEvent, Role, SignInLink, User
from annotation.models.tokens import hash_secret
from annotation.people.steps.accounts import make_password_link, make_sign_in_link
from tests.factories import make_collection, make_member, make_user

pytestmark = pytest.mark.django_db
PASSWORD = "mountain-ridge-77"
NEW = "another-harbour-12"
GONE = "This link does not work"


def person_with_password(name: str = "ann") -> User:
    return User.objects.create_user(name, password=PASSWORD)


def who(client: Client) -> str | None:
    """Who the browser is signed in as."""
    answer = client.get("/")
    return str(answer.wsgi_request.user.get_username()) if answer.status_code == 200 else None


# --- Signing in and out ---


def test_sign_in_leads_to_the_start_or_to_where_one_was_going() -> None:
    person_with_password()
    entries = {"username": "ann", "password": PASSWORD}
    assert Client().post("/login", entries).headers["Location"] == "/"
    assert Client().post("/login?next=/tokens", entries).headers["Location"] == "/tokens"


@pytest.mark.parametrize(
    "next_page", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
def test_sign_in_never_leads_to_another_site(next_page: str) -> None:
    person_with_password()
    answer = Client().post("/login", {"username": "ann", "password": PASSWORD, "next": next_page})
    assert answer.headers["Location"] == "/"


def test_a_wrong_password_and_an_unknown_name_are_answered_alike() -> None:
    person_with_password()
    make_user("no-password-yet")
    answers = [
        Client().post("/login", {"username": name, "password": "wrong"})
        for name in ("ann", "no-password-yet", "nobody")
    ]
    assert {answer.status_code for answer in answers} == {200}
    assert len({tuple(answer.context["form"].non_field_errors()) for answer in answers}) == 1


def test_after_ten_wrong_passwords_even_the_right_one_is_refused_with_a_clear_page() -> None:
    person_with_password()
    client = Client()
    for _ in range(9):
        assert client.post("/login", {"username": "ann", "password": "wrong"}).status_code == 200
    tenth = client.post("/login", {"username": "ann", "password": "wrong"})
    right = client.post("/login", {"username": "ann", "password": PASSWORD})
    assert (tenth.status_code, right.status_code) == (429, 429)
    assert "Try again later" in right.text
    assert "Content-Security-Policy" in right.headers
    assert who(client) is None
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    elsewhere.post("/login", {"username": "ann", "password": PASSWORD})
    assert who(elsewhere) == "ann"


def test_signing_out_takes_a_post() -> None:
    client = Client()
    client.force_login(make_user("ann"))
    assert client.get("/logout").status_code == 405
    assert who(client) == "ann"
    assert client.post("/logout").headers["Location"] == "/login"
    assert who(client) is None


def test_every_post_needs_the_token_of_its_form() -> None:
    client = Client(enforce_csrf_checks=True)
    secret = make_sign_in_link(make_user())
    addresses = ("/login", "/logout", f"/sign-in/{secret}", "/tokens", "/collections/new", f"/invitation/{secret}")
    assert {address: client.post(address).status_code for address in addresses} == dict.fromkeys(addresses, 403)


# --- Password change ---


def test_changing_the_password_asks_for_the_old_one_and_ends_other_sessions() -> None:
    person = person_with_password()
    here, there = Client(), Client()
    here.force_login(person)
    there.force_login(person)
    entries = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert here.post("/password", {**entries, "old_password": "wrong"}).status_code == 200
    assert who(there) == "ann"
    assert here.post("/password", entries).headers["Location"] == "/"
    assert (who(here), who(there)) == ("ann", None)
    person.refresh_from_db()
    assert person.check_password(NEW)
    assert AuditEvent.objects.get(verb="password changed").actor == person


def test_whoever_has_no_password_chooses_one_without_an_old_one() -> None:
    person = make_user("ann")
    client = Client()
    client.force_login(person)
    client.post("/password", {"new_password1": NEW, "new_password2": NEW})
    person.refresh_from_db()
    assert person.check_password(NEW)
    assert client.post("/password", {"new_password1": PASSWORD, "new_password2": PASSWORD}).status_code == 200
    person.refresh_from_db()
    assert person.check_password(NEW)


def test_changing_the_password_closes_links_that_are_open() -> None:
    person = person_with_password()
    secrets = [make_password_link(person, actor=None, collection=None), make_sign_in_link(person)]
    client = Client()
    client.force_login(person)
    client.post("/password", {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW})
    assert Client().get(f"/password/{secrets[0]}").status_code == 404
    assert Client().get(f"/sign-in/{secrets[1]}").status_code == 404


def test_a_weak_password_is_refused() -> None:
    person = make_user("ann")
    client = Client()
    client.force_login(person)
    answer = client.post("/password", {"new_password1": "password", "new_password2": "password"})
    assert answer.status_code == 200
    assert answer.context["form"].errors
    person.refresh_from_db()
    assert not person.has_usable_password()


# --- Password links ---


def test_a_password_link_sets_the_password_once_and_signs_in() -> None:
    person = person_with_password()
    other_session = Client()
    other_session.force_login(person)
    secret = make_password_link(person, actor=None, collection=None)
    client = Client()
    assert client.get(f"/password/{secret}").status_code == 200
    assert client.get(f"/password/{secret}").status_code == 200
    assert SignInLink.objects.get().used_at is None
    answer = client.post(f"/password/{secret}", {"new_password1": NEW, "new_password2": NEW})
    assert answer.headers["Location"] == "/"
    assert (who(client), who(other_session)) == ("ann", None)
    again = Client().post(f"/password/{secret}", {"new_password1": PASSWORD, "new_password2": PASSWORD})
    assert (again.status_code, GONE in again.text) == (404, True)
    person.refresh_from_db()
    assert person.check_password(NEW)


def test_a_refused_password_leaves_the_link_open() -> None:
    secret = make_password_link(make_user(), actor=None, collection=None)
    answer = Client().post(f"/password/{secret}", {"new_password1": "short", "new_password2": "short"})
    assert answer.status_code == 200
    assert SignInLink.objects.get().used_at is None


def test_links_that_do_not_work_are_all_answered_alike() -> None:
    person = make_user()
    expired = make_password_link(person, actor=None, collection=None)
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    closed = make_user()
    of_closed = make_password_link(closed, actor=None, collection=None)
    User.objects.filter(pk=closed.pk).update(is_active=False)
    of_other_kind = make_sign_in_link(make_user())
    answers = [Client().get(f"/password/{secret}") for secret in (expired, of_closed, of_other_kind, "x" * 43)]
    assert {answer.status_code for answer in answers} == {404}
    assert all(GONE in answer.text for answer in answers)


def test_a_newer_password_link_replaces_the_older() -> None:
    person = make_user()
    older, newer = (make_password_link(person, actor=None, collection=None) for _ in range(2))
    assert Client().get(f"/password/{older}").status_code == 404
    assert Client().get(f"/password/{newer}").status_code == 200


def test_a_password_link_dies_when_the_person_gains_a_role_where_its_maker_has_no_say() -> None:
    lead, person = make_user(), make_user()
    collection = make_collection(admin=lead)
    make_member(collection, person, Role.ANNOTATOR)
    secret = make_password_link(person, actor=lead, collection=collection)
    assert Client().get(f"/password/{secret}").status_code == 200
    make_member(make_collection(), person, Role.ANNOTATOR)
    assert Client().post(f"/password/{secret}", {"new_password1": NEW, "new_password2": NEW}).status_code == 404
    person.refresh_from_db()
    assert not person.has_usable_password()


# --- Sign-in links ---


def test_a_sign_in_link_signs_in_once_and_only_by_its_button() -> None:
    secret = make_sign_in_link(make_user("ann"))
    client = Client()
    page = client.get(f"/sign-in/{secret}")
    assert "Sign in as ann" in page.text
    assert "no-store" in page.headers["Cache-Control"]
    assert who(client) is None
    assert client.post(f"/sign-in/{secret}").headers["Location"] == "/"
    assert who(client) == "ann"
    assert Client().post(f"/sign-in/{secret}").status_code == 404
    assert Client().get(f"/sign-in/{secret}").status_code == 404


def test_a_sign_in_link_ends_the_session_of_somebody_else() -> None:
    client = Client()
    client.force_login(make_user("before"))
    client.post(f"/sign-in/{make_sign_in_link(make_user('after'))}")
    assert who(client) == "after"


def test_only_the_hash_of_a_secret_is_stored() -> None:
    secret = make_sign_in_link(make_user())
    assert SignInLink.objects.get().secret_hash == hash_secret(secret)
    assert secret not in str(list(SignInLink.objects.values()) + list(AuditEvent.objects.values()))


# --- API tokens ---


def test_a_token_is_shown_once() -> None:
    client = Client()
    person = make_user()
    client.force_login(person)
    answer = client.post("/tokens", {"name": "Upload", "scope": "judge", "days": "30"})
    secret = answer.context["secret"]
    token = ApiToken.objects.get()
    assert (token.user, token.name, token.prefix, token.secret_hash) == (
        person,
        "Upload",
        secret[:8],
        hash_secret(secret),
    )
    assert (token.scope, token.expires_at and (token.expires_at - token.created_at).days) == ("judge", 29)
    assert secret in answer.text
    assert "no-store" in answer.headers["Cache-Control"]
    page = client.get("/tokens").text
    assert secret not in page
    assert secret[:8] in page


def test_a_person_sees_and_revokes_their_own_tokens_only() -> None:
    mine, other = make_user(), make_user()
    prefix = make_api_token(mine, name="Mine")[:8]
    client = Client()
    client.force_login(other)
    assert list(client.get("/tokens").context["tokens"]) == []
    client.post(f"/tokens/{prefix}/revoke")
    assert ApiToken.objects.get().revoked_at is None
    client.force_login(mine)
    assert client.get(f"/tokens/{prefix}/revoke").status_code == 405
    client.post(f"/tokens/{prefix}/revoke")
    assert ApiToken.objects.get().revoked_at is not None
    assert [event.actor for event in AuditEvent.objects.filter(verb="API token revoked")] == [mine]


def test_a_token_needs_a_name() -> None:
    client = Client()
    client.force_login(make_user())
    errors = client.post("/tokens", {"name": " ", "scope": "read"}).context["form"].errors
    assert errors == {"name": ["This field is required."]}
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("address", ["/password", "/tokens", "/collections/new"])
def test_the_anonymous_visitor_is_sent_to_sign_in(address: str) -> None:
    assert Client().get(address).headers["Location"] == f"/login?next={address}"


@override_settings(AXES_ENABLED=False)
def test_who_is_signed_in_need_not_sign_in() -> None:
    client = Client()
    client.force_login(make_user())
    assert client.get("/login").headers["Location"] == "/"
