"""Find leads to pages, deeds and things of a collection: to what the person may open, and to nothing else."""

import pytest
from django.test import Client

from annotation.home.read.finding import found_places
from annotation.kernel.navigation import DEEDS, NAVIGATION, address_of, navigation_for
from annotation.models import Collection, Role
from tests.annotation.roles import make_people
from tests.factories import (
    make_annotator,
    make_batch,
    make_collection,
    make_document,
    make_member,
    make_topic,
    make_user,
)

pytestmark = pytest.mark.django_db

ENTRIES = [entry for group in NAVIGATION for entry in group.entries]
EVERY = [*ENTRIES, *(part for entry in ENTRIES for part in entry.parts), *DEEDS]


def hits(collection: Collection, words: str, *roles: str) -> dict[str, list[str]]:
    kinds = found_places(collection, words, frozenset(roles or {Role.ADMIN}))
    return {kind: [place.text for place in places] for kind, places in kinds}


@pytest.mark.parametrize("role", [Role.ADMIN, Role.RESEARCHER])
def test_every_entry_opens_for_whom_it_is_shown_and_for_nobody_else(role: Role) -> None:
    collection = make_collection()
    client = Client()
    client.force_login(make_member(collection, role=role))
    opened = {entry: client.get(address_of(entry, collection.slug)).status_code < 400 for entry in EVERY}
    assert opened == {entry: role in entry.roles for entry in EVERY}


def test_annotators_are_shown_two_pages() -> None:
    names = {
        role: [entry.name for group in navigation_for(frozenset({role})) for entry in group.entries] for role in Role
    }
    assert names[Role.ANNOTATOR] == ["collection", "guideline"]
    assert set(names[Role.ADMIN]) - set(names[Role.RESEARCHER]) == {"people", "audit", "outgoing"}
    assert navigation_for(frozenset()) == []


def test_words_find_what_they_begin() -> None:
    collection = make_collection()
    make_topic(collection, number="12", title="Bees in winter")
    make_topic(collection, number="7", title="Ants, 12 kinds")
    for docno in ("bee-1", "bee-2", "ant-1", "Bee-3"):
        make_document(collection, docno=docno)
    make_batch(collection, [], n_topics=0, n_documents=0, name="Second bees")
    make_annotator(collection, pseudonym="beekeeper")
    other = make_collection()
    make_document(other, docno="bee-9")
    assert hits(collection, "bee") == {
        "Topics": ["Bees in winter"],
        "Documents": ["bee-1", "bee-2"],
        "Batches": ["Second bees"],
        "Annotators": ["beekeeper"],
    }
    assert hits(collection, "12")["Topics"] == ["Bees in winter", "Ants, 12 kinds"]
    assert hits(collection, "new ba") == {"Actions": ["New batch"]}
    assert hits(collection, "new ba", Role.RESEARCHER) == {}
    assert set(hits(collection, "")) == {"Pages", "Actions"}


def test_admins_find_people_by_their_accounts() -> None:
    collection = make_collection()
    bea = make_member(collection, make_user("bea"), role=Role.ANNOTATOR)
    make_member(collection, bea, role=Role.RESEARCHER)
    make_member(make_collection(), make_user("beate"))
    assert hits(collection, "bea") == {"People": ["bea"]}
    assert hits(collection, "bea", Role.RESEARCHER) == {}


def test_parts_of_a_subject_are_found_by_their_names_and_by_its() -> None:
    collection = make_collection()
    assert hits(collection, "qual mach") == {"Pages": ["Machines"]}
    assert hits(collection, "agreement")["Pages"] == ["Agreement"]
    assert hits(collection, "quality") == {"Pages": ["Quality", "Annotators", "Agreement", "Pairs", "Machines"]}


def test_who_may_and_the_page_without_script() -> None:
    people = make_people()
    allowed = {"admin", "researcher"}
    assert {who for who, status in people.statuses("/c/bees/find?q=runs").items() if status == 200} <= allowed
    client = people.client("admin")
    page = client.get("/c/bees/find", {"q": "  import   runs "})
    assert (page.status_code, "/c/bees/runs/new" in page.text) == (200, True)
    assert "/c/bees/documents/?q=import%20runs" in page.text, "texts are searched elsewhere"
    part = client.get("/c/bees/find", {"q": "x" * 300}, headers={"X-Find": "1"})
    assert (part.status_code, "<html" in part.text) == (200, False)
    assert client.get("/c/bees/find", {"q": "<b>'\"%"}).status_code == 200
