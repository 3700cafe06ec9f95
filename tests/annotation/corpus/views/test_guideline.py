"""The guideline: read by members, written by admins, in versions; over HTTP."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.corpus.steps.guidelines import revise_guideline
from annotation.models import AuditEvent
from tests.annotation.roles import ADMINS_ONLY, MEMBERS_ONLY, RESEARCH_ONLY, People, make_people

pytestmark = pytest.mark.django_db
EDIT = "/c/bees/guideline/edit"


def entries(introduction: str, based_on: int = 1) -> dict[str, object]:
    return {"introduction": introduction, "examples": "", "edge_cases": "", "based_on": based_on}


def in_force(people: People) -> tuple[int, str]:
    people.collection.refresh_from_db()
    version = people.collection.guideline
    assert version is not None
    return version.number, version.introduction


def test_members_read_researchers_see_versions_admins_write() -> None:
    people = make_people()
    assert people.statuses("/c/bees/guideline/") == MEMBERS_ONLY
    assert people.statuses("/c/bees/guideline/1") == RESEARCH_ONLY
    assert people.statuses(EDIT) == ADMINS_ONLY
    assert people.client("admin").get("/c/bees/guideline/2").status_code == 404


def test_only_admins_write() -> None:
    people = make_people()
    for who, status in {**ADMINS_ONLY, "admin": 302}.items():
        assert people.client(who).post(EDIT, entries(f"By {who}")).status_code == status
    assert in_force(people) == (2, "By admin")


def test_annotators_see_the_text_in_force_and_no_versions() -> None:
    people = make_people()
    people.client("admin").post(EDIT, entries("Look *closely*."))
    answer = people.client("annotator").get("/c/bees/guideline/")
    assert "Look <em>closely</em>." in answer.text
    assert answer.context["versions"] == []
    assert EDIT not in answer.text


def test_markdown_is_made_harmless() -> None:
    people = make_people()
    people.client("admin").post(EDIT, entries("<script>alert(1)</script> [x](javascript:alert(2)) <b onclick=y>z</b>"))
    text = people.client("annotator").get("/c/bees/guideline/").text
    shown = text.partition("<main")[2]
    assert "<script>alert" not in shown
    assert 'href="javascript:' not in shown
    assert "<b onclick" not in shown


def test_a_changed_text_makes_a_version_and_an_unchanged_one_does_not() -> None:
    people = make_people()
    admin = people.client("admin")
    admin.post(EDIT, entries("First\r\nsecond"))
    admin.post(EDIT, entries("First\nsecond", based_on=2))
    assert [version.introduction for version in people.collection.guideline_versions.order_by("number")] == [
        "Judge what the text says.",
        "First\nsecond",
    ]
    assert AuditEvent.objects.filter(verb="guideline revised").count() == 1


def test_going_back_to_an_old_text_brings_its_version_back() -> None:
    people = make_people()
    first = revise_guideline(people.collection, introduction="A", examples="", edge_cases="", actor=None)
    admin = people.client("admin")
    admin.post(EDIT, entries("B", based_on=first.number))
    admin.post(EDIT, entries("A", based_on=first.number + 1))
    assert in_force(people) == (first.number, "A")
    assert AuditEvent.objects.filter(verb="guideline revised").count() == 3


def test_an_edit_based_on_an_older_version_is_asked_about_first() -> None:
    people = make_people()
    admin = people.client("admin")
    admin.post(EDIT, entries("By one admin"))
    answer = admin.post(EDIT, entries("By another"))
    assert "Version 2 was saved meanwhile." in answer.text
    assert in_force(people) == (2, "By one admin")
    again = {name: answer.context["form"][name].value() for name in answer.context["form"].fields}
    assert again == entries("By another", based_on=2)
    admin.post(EDIT, again)
    assert in_force(people) == (3, "By another")


@pytest.mark.parametrize("text", ["", "x" * 20_001])
def test_no_text_and_too_much_text_are_refused(text: str) -> None:
    people = make_people()
    assert list(people.client("admin").post(EDIT, entries(text)).context["form"].errors) == ["introduction"]
    assert in_force(people)[0] == 1


def test_a_version_shows_what_changed() -> None:
    people = make_people()
    people.client("admin").post(EDIT, entries("Judge only what the document says."))
    text = people.client("researcher").get("/c/bees/guideline/2").text
    assert "Judge<ins> only</ins> what the <del>text</del><ins>document</ins> says." in text
    assert people.client("researcher").get("/c/bees/guideline/1").context["changed"] == []


def test_queries_do_not_grow_with_versions() -> None:
    people = make_people()

    def queries(n: int) -> int:
        for number in range(n):
            revise_guideline(
                people.collection, introduction=f"{n} {number}", examples="", edge_cases="", actor=people.admin
            )
        with CaptureQueriesContext(connection) as seen:
            people.client("researcher").get("/c/bees/guideline/")
        return len(seen)

    assert queries(1) == queries(3)
