"""Texts that people agree to before they take part, as admins write them; over HTTP."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import AuditEvent, Batch, Consent, InformationVersion
from annotation.people.steps.information import revise_information
from tests.annotation.roles import ADMINS_ONLY, RESEARCH_ONLY, People, make_people
from tests.factories import make_annotator, make_batch

pytestmark = pytest.mark.django_db
LIST = "/c/bees/information/"
POSTS = {"admin": 302, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 302}


def write(people: People, text: str, *, based_on: int = 0) -> InformationVersion:
    return revise_information(people.collection, text=text, based_on=based_on, actor=people.admin)


def test_researchers_read_and_admins_write() -> None:
    people = make_people()
    write(people, "We keep your grades.")
    assert people.statuses(LIST) == RESEARCH_ONLY
    assert people.statuses(f"{LIST}1") == RESEARCH_ONLY
    assert people.statuses(f"{LIST}new") == ADMINS_ONLY
    assert people.statuses(f"{LIST}1/edit") == ADMINS_ONLY
    assert people.client("admin").get(f"{LIST}2").status_code == 404
    for page in ("new", "1/edit"):
        entry = {"text": f"By post to {page}", "based_on": "1"}
        assert {who: people.client(who).post(LIST + page, entry).status_code for who in POSTS} == POSTS
    previews = {who: people.client(who).post(f"{LIST}preview", {"text": "x"}).status_code for who in POSTS}
    assert previews == POSTS | {"admin": 200}
    assert people.client("admin").get(f"{LIST}preview").status_code == 405


def test_a_first_text_is_proposed() -> None:
    text = make_people().client("admin").get(f"{LIST}new").text
    assert "# What is kept" in text
    assert "<h3>What is kept</h3>" in text


def test_a_changed_text_is_a_version_and_an_unchanged_one_is_not() -> None:
    people = make_people()
    admin = people.client("admin")
    admin.post(f"{LIST}new", {"text": "One\r\ntwo", "based_on": "0"})
    admin.post(f"{LIST}1/edit", {"text": "One\ntwo", "based_on": "1"})
    admin.post(f"{LIST}1/edit", {"text": "Three", "based_on": "1"})
    versions = InformationVersion.objects.filter(collection=people.collection).order_by("number")
    assert [(each.number, each.text) for each in versions] == [(1, "One\ntwo"), (2, "Three")]
    assert AuditEvent.objects.filter(verb="information revised").count() == 3


@pytest.mark.parametrize("text", ["", "x" * 20_001])
def test_no_text_and_too_much_text_are_refused(text: str) -> None:
    people = make_people()
    answer = people.client("admin").post(f"{LIST}new", {"text": text, "based_on": "0"})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["text"])
    assert not InformationVersion.objects.exists()


def test_looking_at_it_stores_nothing_and_is_safe() -> None:
    people = make_people()
    admin = people.client("admin")
    entry = {"text": "**Read** <script>alert(1)</script>", "based_on": "0", "deed": "preview"}
    for answer in (admin.post(f"{LIST}new", entry), admin.post(f"{LIST}preview", entry)):
        shown = answer.text.partition('id="preview"')[2] or answer.text
        assert "<strong>Read</strong> &lt;script&gt;" in shown
        assert answer.status_code == 200
    assert not InformationVersion.objects.exists()


def test_a_revision_moves_the_batches_that_had_the_text_unless_they_are_closed() -> None:
    people = make_people()
    first, other = write(people, "First"), write(people, "Other")
    states = {"draft": first, "open": first, "paused": first, "closed": first, "laid_out": other}
    for state, version in states.items():
        make_batch(people.collection, [], name=state, state=state, information=version)
    people.client("admin").post(f"{LIST}1/edit", {"text": "Revised", "based_on": "1"})
    asked = dict(Batch.objects.values_list("name", "information__text"))
    assert asked == {
        "draft": "Revised",
        "open": "Revised",
        "paused": "Revised",
        "closed": "First",
        "laid_out": "Other",
    }


def test_the_pages_say_who_agreed_and_what_asks() -> None:
    people = make_people()
    version = write(people, "We keep your grades.")
    annotator = make_annotator(people.collection, pseudonym="A-TWO")
    Consent.objects.create(annotator=annotator, information=version, given_at=timezone.now())
    make_batch(people.collection, [annotator], name="Round one", information=version)
    page = people.client("researcher").get(f"{LIST}1").text
    assert "A-TWO" in page
    assert "Asked for by Round one." in page
    assert "1/edit" not in page
    row = people.client("researcher").get(LIST).context["rows"][0]
    assert (row.n_agreed, row.batches) == (1, ["Round one"])
    assert "Round one asks for version 1 and goes on to what you save here." in (
        people.client("admin").get(f"{LIST}1/edit").text
    )


def test_queries_do_not_grow_with_versions_and_people() -> None:
    people = make_people()
    client = people.client("researcher")

    def queries(n: int) -> tuple[int, int]:
        for number in range(n):
            version = write(people, f"{n} {number}")
            make_batch(people.collection, [], information=version)
            annotator = make_annotator(people.collection)
            first = InformationVersion.objects.earliest("pk")
            Consent.objects.create(annotator=annotator, information=first, given_at=timezone.now())
        counts = []
        for page in ("", "1"):
            with CaptureQueriesContext(connection) as seen:
                client.get(LIST + page)
            counts.append(len(seen))
        return counts[0], counts[1]

    assert queries(1) == queries(3)
