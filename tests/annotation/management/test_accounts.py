"""The commands for whoever runs an installation."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from annotation.management.addressing import note_address, served_at
from annotation.models import AuditEvent, SignInLink, User
from tests.commands import ran
from tests.factories import make_user

pytestmark = pytest.mark.django_db
ADDRESS = "https://judge.example.org/"


def path_of(command: str, name: str) -> str:
    """The path of the link that the command prints last."""
    out = StringIO()
    call_command(command, name, address=ADDRESS, stdout=out)
    link = out.getvalue().split()[-1]
    assert link.startswith(ADDRESS)
    return link.removeprefix(ADDRESS.rstrip("/"))


def test_create_admin_makes_an_account_without_a_password_and_one_way_in() -> None:
    path = path_of("create_admin", "lead")
    person = User.objects.get()
    assert (person.username, person.may_create_collections, person.has_usable_password()) == ("lead", True, False)
    client = Client()
    client.post(path)
    assert client.get("/collections/new").status_code == 200
    assert Client().post(path).status_code == 404


def test_create_admin_lets_an_existing_account_in_again() -> None:
    make_user("lead")
    paths = [path_of("create_admin", "lead"), path_of("create_admin", "lead")]
    assert [user.may_create_collections for user in User.objects.all()] == [True]
    assert [Client().post(path).status_code for path in paths] == [302, 302]


@pytest.mark.parametrize("name", ["", "with space", "a/b", "x" * 151])
def test_create_admin_refuses_what_is_no_name(name: str) -> None:
    with pytest.raises(CommandError):
        path_of("create_admin", name)
    assert not User.objects.exists()


def test_create_admin_refuses_a_closed_account() -> None:
    make_user("lead")
    User.objects.update(is_active=False)
    with pytest.raises(CommandError, match="The account lead is closed"):
        path_of("create_admin", "lead")
    assert not SignInLink.objects.exists()


@pytest.mark.parametrize("words", [("create_admin", "lead"), ("people", "password-link", "ada")])
def test_a_link_that_is_only_tried_is_not_made(words: tuple[str, ...]) -> None:
    make_user("ada")
    tried = ran(*words, "--dry-run", "--json")
    assert (tried.code, tried.facts) == (0, {"name": words[-1], "stored": False})
    assert (SignInLink.objects.count(), User.objects.count(), AuditEvent.objects.count()) == (0, 1, 0)
    User.objects.update(is_active=False)
    codes = {"create_admin": 1, "people": 2}
    assert ran(*words[:-1], "ada", "--dry-run").code == ran(*words[:-1], "ada").code == codes[words[0]]


def test_password_link_for_whoever_has_an_account() -> None:
    make_user("ann")
    new = {"new_password1": "mountain-ridge-77", "new_password2": "mountain-ridge-77"}
    assert Client().post(path_of("password_link", "ann"), new).status_code == 302
    assert User.objects.get().check_password("mountain-ridge-77")
    assert not User.objects.get().may_create_collections


def test_password_link_for_nobody_is_refused() -> None:
    with pytest.raises(CommandError, match="There is no open account nobody"):
        path_of("password_link", "nobody")


def address_in_link(command: str) -> str:
    out = StringIO()
    call_command(command, "lead", stdout=out)
    return out.getvalue().split()[-1].partition("/sign-in/")[0].partition("/password/")[0]


@pytest.mark.parametrize("command", ["create_admin", "password_link"])
def test_links_lead_to_where_it_was_served_last(command: str, settings: Settings, tmp_path: Path) -> None:
    settings.TOUCHSTONE_VAR = tmp_path / "var"
    make_user("lead")
    assert address_in_link(command) == "http://127.0.0.1:8000"
    note_address(served_at("127.0.0.1", 8123))
    assert address_in_link(command) == "http://127.0.0.1:8123"
    settings.TOUCHSTONE_HTTPS, settings.ALLOWED_HOSTS = True, ["localhost", "judge.example.org"]
    assert address_in_link(command) == "https://judge.example.org"
    settings.TOUCHSTONE_ADDRESS = "https://proxy.example.org"
    assert address_in_link(command) == "https://proxy.example.org"


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("localhost", "http://localhost:80"),
        ("::1", "http://[::1]:80"),
        ("0.0.0.0", "http://127.0.0.1:80"),  # noqa: S104 -- a text, nothing is bound
        ("::", "http://127.0.0.1:80"),
    ],
)
def test_what_is_served_everywhere_is_asked_for_by_a_name(host: str, address: str, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    assert served_at(host, 80) == address
