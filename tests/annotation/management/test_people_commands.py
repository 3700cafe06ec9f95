"""People and their tokens by command."""

import io
from pathlib import Path

import pytest
from django.test import Client

from annotation.kernel.api_tokens import token_with
from annotation.models import ApiToken, AuditEvent, Collection, Invitation, Membership, User
from tests.commands import ran
from tests.factories import make_collection, make_user

pytestmark = pytest.mark.django_db
ADDRESS = "https://judge.example.org"


@pytest.fixture
def bees() -> Collection:
    collection = make_collection("bees")
    Membership.objects.create(collection=collection, user=make_user("lead"), role="admin")
    Membership.objects.create(collection=collection, user=make_user("ada"), role="researcher")
    return collection


def test_invite_prints_links_that_work_once(bees: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("Grace\nÁda\n".encode())))
    invited = ran("people", "invite", "bees", "--notes", "-", "--days", "3", "--address", ADDRESS, "--json")
    rows = invited.facts["invitations"]
    assert [(row["note"], row["role"]) for row in rows] == [("Grace", "annotator"), ("Áda", "annotator")]
    assert all(row["link"].startswith(f"{ADDRESS}/invitation/") for row in rows)
    assert Client().get(rows[0]["link"].removeprefix(ADDRESS)).status_code == 200
    assert ran("people", "list", "bees", "--json").facts["invitations"][0]["note"] == "Áda"
    assert set(Invitation.objects.values_list("created_by__username", flat=True)) == {"lead"}
    number = str(rows[0]["number"])
    tried = ran("people", "withdraw", "bees", number, "--dry-run")
    done, again = ran("people", "withdraw", "bees", number), ran("people", "withdraw", "bees", number)
    assert (tried.code, done.code, again.code) == (0, 0, 1)
    assert Client().get(rows[0]["link"].removeprefix(ADDRESS)).status_code == 404
    in_words = ran("people", "invite", "bees", "--count", "2", "--address", ADDRESS)
    assert [line.startswith(ADDRESS) for line in in_words.out.splitlines()] == [True, True]
    before = Invitation.objects.count()
    assert ran("people", "invite", "bees", "--count", "9", "--dry-run").out == "would be made: 9 invitations\n"
    assert ran("people", "invite", "bees", "--dry-run").out == "would be made: 1 invitation\n"
    assert Invitation.objects.count() == before


def test_roles_are_given_and_taken_with_the_record(bees: Collection) -> None:
    given_roles = ran("people", "role", "bees", "ada", "annotator", "researcher", "--json")
    assert given_roles.facts == {"name": "ada", "roles": ["annotator", "researcher"], "stored": True}
    listed = {one["name"]: one for one in ran("people", "list", "bees", "--json").facts["members"]}
    assert (listed["ada"]["roles"], bool(listed["ada"]["pseudonym"])) == (["annotator", "researcher"], True)
    assert ran("people", "remove", "bees", "ada", "--dry-run").code == 0
    assert Membership.objects.filter(user__username="ada").count() == 2
    assert ran("people", "remove", "bees", "ada").code == 0
    assert not Membership.objects.filter(user__username="ada").exists()
    assert set(AuditEvent.objects.values_list("actor__username", flat=True)) == {"lead"}


def test_the_last_admin_stays(bees: Collection) -> None:
    for words in (("role", "bees", "lead", "researcher"), ("remove", "bees", "lead")):
        tried, done = ran("people", *words, "--dry-run", "--json"), ran("people", *words, "--json")
        assert (tried.code, done.code, tried.error) == (1, 1, done.error)
    assert Membership.objects.filter(role="admin").count() == 1


def test_who_acts_is_an_admin(bees: Collection, tmp_path: Path) -> None:
    for words in (
        ("role", "bees", "nobody", "annotator"),
        ("role", "bees", "ada", "annotator", "--as", "ada"),
        ("withdraw", "bees", "99"),
        ("invite", "bees", "--count", "0"),
        ("invite", "bees", "--notes", str(tmp_path / "none")),
        ("password-link", "nobody"),
    ):
        assert ran("people", *words).code == 2, words
    output = ran("people", "remove", "bees", "ada", "--as", "ada").err
    assert output == "ada is no admin of bees: name one with --as.\n"
    Membership.objects.create(collection=bees, user=make_user("second"), role="admin")
    assert ran("people", "remove", "bees", "ada").code == 2
    assert ran("people", "remove", "bees", "ada", "--as", "second").code == 0


def test_a_password_link_under_both_names(bees: Collection) -> None:
    for words in (("people", "password-link"), ("password_link",)):
        link = ran(*words, "ada", "--address", ADDRESS, "--json").facts["link"]
        assert Client().get(link.removeprefix(ADDRESS)).status_code == 200


def test_tokens_are_made_listed_and_revoked(bees: Collection) -> None:
    assert ran("token", "make", "ada", "nightly", "--dry-run").code == 0
    assert not ApiToken.objects.exists()
    secret = ran("token", "make", "ada", "nightly").out.strip()
    token = token_with(secret)
    assert token is not None
    assert (token.user, token.scope, token.expires_at) == (User.objects.get(username="ada"), "read", None)
    row = ran("token", "list", "ada", "--json").facts[0]
    assert (row["prefix"], row["name"], row["revoked_at"], secret in str(row)) == (secret[:8], "nightly", None, False)
    assert [ran("token", "revoke", "ada", secret[:8], *words).code for words in (["--dry-run"], [], [])] == [0, 0, 1]
    assert token_with(secret) is None
    assert [ran("token", *words).code for words in (("make", "nobody", "x"), ("make", "ada", ""))] == [2, 2]
    row = ran("token", "make", "ada", "import", "--scope", "admin", "--days", "30", "--json").facts
    assert (row["scope"], bool(row["expires_at"]), bool(row["token"])) == ("admin", True, True)
    assert ran("token", "make", "ada", "import", "--days", "0").code == 2
