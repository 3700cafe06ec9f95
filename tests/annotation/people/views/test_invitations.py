"""Invitations: made, withdrawn, used; over HTTP."""

import csv
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Annotator, AuditEvent, Collection, Invitation, Membership, Role, User
from annotation.models.tokens import hash_secret
from annotation.people.steps.invitations import make_invitations
from tests.annotation.roles import ADMINS_ONLY, People, make_people
from tests.factories import make_collection, make_user

pytestmark = pytest.mark.django_db
PAGE = "/c/bees/invitations/"
ENTRIES = {"role": "annotator", "days": 14}
ACCOUNT = {"username": "newcomer", "password1": "mountain-ridge-77", "password2": "mountain-ridge-77"}


def invite(people: People, role: str = Role.ANNOTATOR) -> str:
    """The path of a fresh invitation."""
    _, secret = make_invitations(people.collection, role=role, notes=["for a test"], actor=people.admin)[0]
    return f"/invitation/{secret}"


def test_only_admins_invite() -> None:
    people = make_people()
    assert people.statuses(PAGE) == ADMINS_ONLY
    posts = {who: people.client(who).post(PAGE, ENTRIES).status_code for who in ADMINS_ONLY}
    assert posts == ADMINS_ONLY
    assert [invitation.created_by for invitation in Invitation.objects.all()] == [people.admin]


@pytest.mark.parametrize(
    ("entries", "notes"),
    [
        ({}, [""]),
        ({"count": 3}, ["", "", ""]),
        ({"notes": "One\n\n Two \r\n"}, ["One", "Two"]),
        ({"notes": "One\nTwo", "count": 2}, ["One", "Two"]),
    ],
)
def test_one_link_a_note_or_as_many_as_asked(entries: dict[str, object], notes: list[str]) -> None:
    people = make_people()
    answer = people.client("admin").post(PAGE, {**ENTRIES, **entries})
    assert [invitation.note for invitation in Invitation.objects.order_by("pk")] == notes
    paths = [row.address.removeprefix("http://testserver") for row in answer.context["rows"]]
    assert [Client().get(path).status_code for path in paths] == [200] * len(notes)
    assert len(set(paths)) == len(notes)
    stored = [hash_secret(path.rpartition("/")[2]) for path in paths]
    assert stored == [invitation.secret_hash for invitation in Invitation.objects.order_by("pk")]


@pytest.mark.both("refusals")
@pytest.mark.parametrize(
    ("entries", "field"),
    [
        ({"role": "owner"}, "role"),
        ({"count": 0}, "count"),
        ({"count": 501}, "count"),
        ({"notes": "One\nTwo", "count": 3}, "count"),
        ({"notes": "x" * 201}, "notes"),
        ({"notes": "x\n" * 501}, "notes"),
        ({"days": 0}, "days"),
        ({"days": 91}, "days"),
        ({"days": ""}, "days"),
    ],
)
def test_what_makes_no_sense_is_refused_and_makes_nothing(entries: dict[str, object], field: str) -> None:
    answer = make_people().client("admin").post(PAGE, {**ENTRIES, **entries})
    assert list(answer.context["form"].errors) == [field]
    assert not Invitation.objects.exists()


def test_links_are_shown_once() -> None:
    people = make_people()
    client = people.client("admin")
    answer = client.post(PAGE, {**ENTRIES, "count": 2})
    assert "no-store" in answer.headers["Cache-Control"]
    secrets = [row.address.rpartition("/")[2] for row in answer.context["rows"]]
    assert all(secret in answer.text for secret in secrets)
    page = client.get(PAGE).text
    assert not any(secret in page for secret in secrets)


def test_links_as_csv() -> None:
    people = make_people()
    answer = people.client("admin").post(PAGE, {**ENTRIES, "notes": 'Ann, "the first"\n=1+1', "csv": "1"})
    assert answer.headers["Content-Disposition"] == 'attachment; filename="invitations-bees.csv"'
    rows = list(csv.DictReader(answer.text.splitlines()))
    assert [(row["note"], row["role"]) for row in rows] == [('Ann, "the first"', "annotator"), ("'=1+1", "annotator")]
    assert all(Client().get(row["link"].removeprefix("http://testserver")).status_code == 200 for row in rows)


def test_the_list_tells_the_state_of_each() -> None:
    people = make_people()
    client = people.client("admin")
    client.post(PAGE, {**ENTRIES, "notes": "open\nexpired\nwithdrawn\nused"})
    Invitation.objects.filter(note="expired").update(expires_at=timezone.now())
    client.post(f"{PAGE}{Invitation.objects.get(note='withdrawn').pk}/withdraw")
    Invitation.objects.filter(note="used").update(used_at=timezone.now(), used_by=people.researcher)
    assert {listed.note: listed.state for listed in client.get(PAGE).context["page_obj"]} == {
        state: state for state in ("open", "expired", "withdrawn", "used")
    }


def test_a_withdrawn_link_does_not_work() -> None:
    people = make_people()
    path = invite(people)
    number = Invitation.objects.get().pk
    other = {who: people.client(who).post(f"{PAGE}{number}/withdraw").status_code for who in ("researcher", "outsider")}
    assert other == {"researcher": 403, "outsider": 404}
    assert Client().get(path).status_code == 200
    assert people.client("admin").post(f"{PAGE}{number}/withdraw").headers["Location"] == PAGE
    assert Client().get(path).status_code == 404
    assert Client().post(path, ACCOUNT).status_code == 404
    assert AuditEvent.objects.filter(verb="invitation withdrawn").count() == 1


def test_an_admin_withdraws_only_in_their_own_collection() -> None:
    people = make_people()
    invite(people)
    lead = make_user()
    make_collection("other", admin=lead)
    client = Client()
    client.force_login(lead)
    assert client.post(f"/c/other/invitations/{Invitation.objects.get().pk}/withdraw").status_code == 404
    assert Invitation.objects.get().withdrawn_at is None


def test_looking_at_an_invitation_changes_nothing() -> None:
    people = make_people()
    path = invite(people)
    before = list(Invitation.objects.values())
    assert [Client().get(path).status_code, people.client("outsider").get(path).status_code] == [200, 200]
    assert list(Invitation.objects.values()) == before


def test_a_newcomer_makes_an_account_and_is_in() -> None:
    people = make_people()
    path = invite(people)
    client = Client()
    assert client.post(path, ACCOUNT).headers["Location"] == "/"
    person = User.objects.get(username="newcomer")
    assert person.check_password("mountain-ridge-77")
    assert [person.is_staff, person.is_superuser, person.may_create_collections] == [False] * 3
    assert [(m.collection, m.role) for m in person.memberships.all()] == [(people.collection, "annotator")]
    pseudonym = Annotator.objects.get(user=person).pseudonym
    assert (pseudonym[:2], len(pseudonym)) == ("A-", 8)
    used = Invitation.objects.get()
    assert (used.used_by, used.used_at is not None) == (person, True)
    assert client.get("/").context["user"] == person
    assert Client().post(path, {**ACCOUNT, "username": "second"}).status_code == 404
    assert not User.objects.filter(username="second").exists()


@pytest.mark.parametrize("role", [Role.ADMIN, Role.RESEARCHER])
def test_only_annotators_get_a_pseudonym(role: str) -> None:
    Client().post(invite(make_people(), role), ACCOUNT)
    assert not Annotator.objects.filter(user__username="newcomer").exists()
    assert Membership.objects.get(user__username="newcomer").role == role


@pytest.mark.parametrize(
    ("entries", "field"),
    [
        ({"username": "LEAD"}, "username"),
        ({"username": "with space"}, "username"),
        ({"username": "a/b"}, "username"),
        ({"password2": "something-else-9"}, "password2"),
        ({"password1": "12345678901", "password2": "12345678901"}, "password2"),
    ],
)
def test_a_refused_account_leaves_the_invitation_open(entries: dict[str, str], field: str) -> None:
    path = invite(make_people())
    answer = Client().post(path, {**ACCOUNT, **entries})
    assert list(answer.context["form"].errors) == [field]
    assert Invitation.objects.get().used_at is None


def test_someone_signed_in_joins_with_their_account() -> None:
    people = make_people()
    path = invite(people)
    client = people.client("outsider")
    assert "Join as outsider" in client.get(path).text
    users = User.objects.count()
    client.post(path)
    assert Membership.objects.filter(collection=people.collection, user=people.outsider).get().role == "annotator"
    assert User.objects.count() == users
    assert client.post(path).status_code == 404


def test_an_invitation_is_not_spent_on_who_has_the_role_already() -> None:
    people = make_people()
    path = invite(people)
    assert people.client("annotator").post(path).status_code == 200
    assert Invitation.objects.get().used_at is None
    Client().post(path, ACCOUNT)
    assert User.objects.filter(username="newcomer").exists()


def test_an_expired_and_an_unknown_link_are_answered_alike() -> None:
    path = invite(make_people())
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    answers = [Client().post(address, ACCOUNT) for address in (path, "/invitation/unknown")]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert all("This link does not work" in answer.text for answer in answers)


def test_pseudonyms_are_the_collections_own() -> None:
    people = make_people()
    Client().post(invite(people), ACCOUNT)
    other = make_collection(admin=people.admin)
    _, secret = make_invitations(other, role=Role.ANNOTATOR, notes=[""], actor=people.admin)[0]
    client = Client()
    client.force_login(User.objects.get(username="newcomer"))
    client.post(f"/invitation/{secret}")
    names: dict[Collection, str] = {
        row.collection: row.pseudonym for row in Annotator.objects.filter(user__username="newcomer")
    }
    assert set(names) == {people.collection, other}
    assert names[people.collection] != names[other]


def test_queries_do_not_grow_with_invitations() -> None:
    people = make_people()
    client = people.client("admin")

    def queries(n: int) -> int:
        make_invitations(people.collection, role=Role.ANNOTATOR, notes=[""] * n, actor=people.admin)
        with CaptureQueriesContext(connection) as seen:
            client.get(PAGE)
        return len(seen)

    assert queries(1) == queries(3)
