"""People and their roles: over HTTP."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Annotator, AuditEvent, Membership, Role, SignInLink, Slot, User
from tests.annotation.roles import ADMINS_ONLY, People, make_people
from tests.factories import make_annotator, make_batch, make_collection, make_member, make_user

pytestmark = pytest.mark.django_db


def roles_of(people: People, person: User) -> set[str]:
    return set(Membership.objects.filter(collection=people.collection, user=person).values_list("role", flat=True))


def test_only_admins_see_people() -> None:
    people = make_people()
    assert people.statuses("/c/bees/people/") == ADMINS_ONLY
    assert people.statuses("/c/bees/people/annotator/") == ADMINS_ONLY


@pytest.mark.parametrize("deed", ["", "remove", "password-link"])
def test_only_admins_do_anything_to_people(deed: str) -> None:
    people = make_people()
    before = list(Membership.objects.order_by("pk").values())
    others = ("researcher", "annotator", "outsider", "anonymous")
    address = f"/c/bees/people/researcher/{deed}"
    statuses = [people.client(who).post(address, {"roles": ["admin"]}).status_code for who in others]
    assert statuses == [403, 403, 404, 302]
    assert list(Membership.objects.order_by("pk").values()) == before
    assert not SignInLink.objects.exists()


@pytest.mark.parametrize("deed", ["remove", "password-link"])
def test_deeds_are_posts(deed: str) -> None:
    assert make_people().client("admin").get(f"/c/bees/people/annotator/{deed}").status_code == 405


def test_the_list_names_each_member_with_roles_and_pseudonym() -> None:
    people = make_people()
    Membership.objects.create(collection=people.collection, user=people.admin, role=Role.ANNOTATOR)
    page = people.client("admin").get("/c/bees/people/")
    members = list(page.context["page_obj"])
    rows = page.text.partition('<tbody role="rowgroup">')[2].partition("</tbody>")[0].split("</tr>")
    assert ["not blind" in row for row in rows] == [False, True, False, False], "the last is what follows the rows"
    assert [(member.person, member.roles, member.pseudonym, member.is_not_blind) for member in members] == [
        (people.annotator, ["annotator"], "A-ONE", False),
        (people.admin, ["admin", "annotator"], "", True),
        (people.researcher, ["researcher"], "", False),
    ]


def test_last_activity_counts_this_collection_only() -> None:
    people = make_people()
    people.client("admin").post("/c/bees/people/researcher/", {"roles": ["researcher", "annotator"]})
    AuditEvent.objects.create(collection=make_collection(), actor=people.annotator, verb="elsewhere")
    members = people.client("admin").get("/c/bees/people/").context["page_obj"]
    assert [member.person for member in members if member.last_activity] == [people.admin]


def test_roles_are_added_and_taken() -> None:
    people = make_people()
    answer = people.client("admin").post("/c/bees/people/researcher/", {"roles": ["admin", "annotator"]})
    assert answer.headers["Location"] == "/c/bees/people/"
    assert roles_of(people, people.researcher) == {"admin", "annotator"}
    pseudonym = Annotator.objects.get(collection=people.collection, user=people.researcher).pseudonym
    assert pseudonym.startswith("A-")
    assert "researcher" not in pseudonym
    events = AuditEvent.objects.filter(collection=people.collection, actor=people.admin).order_by("pk")
    assert [(event.verb, event.subject, event.detail) for event in events] == [
        ("role removed", "researcher", {"role": "researcher"}),
        ("role added", "researcher", {"role": "admin"}),
        ("role added", "researcher", {"role": "annotator"}),
    ]


@pytest.mark.parametrize("entries", [{"save": ["1"]}, {"roles": ["owner"]}])
def test_no_role_and_unknown_roles_are_refused(entries: dict[str, list[str]]) -> None:
    people = make_people()
    answer = people.client("admin").post("/c/bees/people/researcher/", entries)
    assert (answer.status_code, list(answer.context["form"].errors)) == (200, ["roles"])
    assert roles_of(people, people.researcher) == {"researcher"}


def test_the_last_admin_stays() -> None:
    people = make_people()
    admin = people.client("admin")
    answer = admin.post("/c/bees/people/lead/", {"roles": ["annotator"]})
    assert "A collection needs an admin" in answer.text
    assert admin.post("/c/bees/people/lead/remove").headers["Location"] == "/c/bees/people/lead/"
    assert roles_of(people, people.admin) == {"admin"}


def test_an_admin_who_gives_up_the_role_goes_to_the_start() -> None:
    people = make_people()
    make_member(people.collection, people.researcher, Role.ADMIN)
    answer = people.client("admin").post("/c/bees/people/lead/", {"roles": ["researcher"]})
    assert answer.headers["Location"] == "/"
    assert roles_of(people, people.admin) == {"researcher"}


def test_whoever_is_removed_cannot_judge_any_more_but_stays_in_the_record() -> None:
    people = make_people()
    annotator = Annotator.objects.get(user=people.annotator)
    batch = make_batch(people.collection, [annotator])
    other = make_annotator(make_collection(), people.annotator)
    other_batch = make_batch(other.collection, [other])
    kept = Slot.objects.filter(item__batch=batch, n=1)
    assert kept.update(reserved_for=annotator, due=1, transferable=True) == 4
    client = people.client("annotator")
    assert client.get(f"/judge/{batch.token}/").status_code == 200
    people.client("admin").post("/c/bees/people/annotator/remove")
    assert roles_of(people, people.annotator) == set()
    assert client.get(f"/judge/{batch.token}/").status_code == 404
    assert client.get(f"/judge/{other_batch.token}/").status_code == 200
    assert not Slot.objects.filter(reserved_for=annotator).exists()
    assert Annotator.objects.filter(pk=annotator.pk, pseudonym="A-ONE").exists()
    assert people.client("admin").get("/c/bees/people/annotator/").status_code == 404


# --- Password links: who may make them for whom ---


def test_an_admin_makes_a_password_link_for_a_member() -> None:
    people = make_people()
    answer = people.client("admin").post("/c/bees/people/annotator/password-link")
    link = SignInLink.objects.get()
    assert (link.user, link.created_by, link.purpose) == (people.annotator, people.admin, "password")
    path = answer.context["address"].removeprefix("http://testserver")
    assert Client().get(path).status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    event = AuditEvent.objects.get(verb="password link made")
    assert (event.actor, event.collection, event.subject) == (people.admin, people.collection, "annotator")


def refused(people: People, person: User) -> bool:
    """Whether the admin is refused a link for the person, and the page offers none."""
    client = people.client("admin")
    address = f"/c/bees/people/{person.username}/password-link"
    offered = address in client.get(f"/c/bees/people/{person.username}/").text
    status = client.post(address).status_code
    assert (status, offered) in {(403, False), (200, True)}
    assert SignInLink.objects.exists() is offered
    return not offered


@pytest.mark.parametrize("role", Role.values)
def test_no_link_for_whoever_has_any_role_where_the_admin_does_not_lead(role: str) -> None:
    people = make_people()
    elsewhere = make_collection()
    make_member(elsewhere, people.annotator, role)
    make_member(elsewhere, people.admin, Role.RESEARCHER)
    assert refused(people, people.annotator)


def test_a_link_where_the_admin_leads_every_collection_of_the_person() -> None:
    people = make_people()
    elsewhere = make_collection(admin=people.admin)
    make_member(elsewhere, people.annotator, Role.ADMIN)
    assert not refused(people, people.annotator)


def test_no_link_for_an_admin_of_ones_own_collection_who_leads_another() -> None:
    people = make_people()
    make_member(people.collection, people.researcher, Role.ADMIN)
    make_collection(admin=people.researcher)
    assert refused(people, people.researcher)


@pytest.mark.parametrize("power", ["is_superuser", "is_staff", "may_create_collections"])
def test_no_link_for_whoever_may_do_more_on_the_installation(power: str) -> None:
    people = make_people()
    User.objects.filter(pk=people.annotator.pk).update(**{power: True})
    assert refused(people, people.annotator)


def test_no_link_for_oneself_and_for_a_closed_account() -> None:
    people = make_people()
    assert refused(people, people.admin)
    User.objects.filter(pk=people.annotator.pk).update(is_active=False)
    assert refused(people, people.annotator)


def test_queries_do_not_grow_with_people() -> None:
    people = make_people()
    client = people.client("admin")

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            client.get("/c/bees/people/")
        return len(seen)

    before = queries()
    for _ in range(3):
        make_annotator(people.collection, make_user())
    assert queries() == before
