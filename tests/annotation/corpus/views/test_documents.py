"""Documents, to browse and search."""

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotation.models import Document, DocumentVersion, Import
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.factories import make_document

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]

LIST = "/c/bees/documents/"


@pytest.fixture
def people() -> People:
    return make_people()


def shown(people: People, address: str) -> str:
    return people.client("researcher").get(address).text


def test_documents_searches_docno_title_and_text(people: People) -> None:
    make_document(people.collection, "FT-1", title="Bees", text="eat pollen")
    make_document(people.collection, "FT-2", title="Wasps", text="eat bees")
    assert [f"/documents/FT-{n}" in shown(people, LIST) for n in (1, 2)] == [True, True]
    assert [f"/documents/FT-{n}" in shown(people, f"{LIST}?q=eat+BEES") for n in (1, 2)] == [True, True]
    assert [f"/documents/FT-{n}" in shown(people, f"{LIST}?q=pollen") for n in (1, 2)] == [True, False]
    assert [f"/documents/FT-{n}" in shown(people, f"{LIST}?q=ft-2") for n in (1, 2)] == [False, True]
    assert "No document found" in shown(people, f"{LIST}?q=hornets")


def test_documents_come_in_pages_that_keep_the_search(people: People) -> None:
    for n in range(101):
        make_document(people.collection, f"D{n:03}", text="bees")
    first, second = shown(people, f"{LIST}?q=bees"), shown(people, f"{LIST}?q=bees&page=2")
    assert ("101 documents with “bees”" in first, "1–100 of 101" in first) == (True, True)
    assert "?q=bees&amp;page=2" in first
    assert ("/documents/D100" in first, "/documents/D100" in second) == (False, True)
    assert "101–101 of 101" in shown(people, f"{LIST}?q=bees&page=999")
    assert "1–100 of 101" in shown(people, f"{LIST}?q=bees&page=none")


def test_document_shows_text_as_text_and_fields_as_table(people: People) -> None:
    document = make_document(people.collection, "a/b?c", title="<script>x</script>", text="one & two\n\nthree")
    DocumentVersion.objects.update(fields={"year": "1968", "<td>": "<i>"})
    html = shown(people, reverse("document", args=["bees", document.docno]))
    assert "<h1>&lt;script&gt;x&lt;/script&gt;</h1>" in html
    assert "<p>one &amp; two</p><p>three</p>" in html
    assert '<th scope="row" class="fit">year</th><td>1968</td>' in html
    assert "&lt;td&gt;</th><td>&lt;i&gt;</td>" in html


def test_a_field_of_a_document_may_be_called_items(people: People) -> None:
    document = make_document(people.collection, docno="D9")
    document.versions.update(fields={"items": "twelve", "keys": "three"})
    text = people.client("admin").get(reverse("document", args=[people.collection.slug, "D9"])).text
    assert '<th scope="row" class="fit">items</th><td>twelve</td>' in text
    assert '<th scope="row" class="fit">keys</th><td>three</td>' in text


def test_document_without_title_and_text(people: People) -> None:
    make_document(people.collection, "471", title="", text="")
    html = shown(people, reverse("document", args=["bees", "471"]))
    assert ("<h1>471</h1>" in html, "This document has no text." in html) == (True, True)


def test_document_of_an_import_under_way_is_not_there(people: People) -> None:
    make_document(people.collection, "1")
    record = Import.objects.create(collection=people.collection, kind="documents", filename="f", sha256="0" * 64)
    Document.objects.update(brought_by=record)
    assert people.client("admin").get(reverse("document", args=["bees", "1"])).status_code == 404
    assert "No documents yet" in shown(people, LIST)


def test_document_keeps_a_version_under_way_to_itself(people: People) -> None:
    document = make_document(people.collection, "1", title="bees")
    record = Import.objects.create(collection=people.collection, kind="documents", filename="f", sha256="0" * 64)
    DocumentVersion.objects.create(
        collection=people.collection,
        document=document,
        sha256="1" * 64,
        title="wasps",
        is_current=False,
        brought_by=record,
    )
    html = shown(people, reverse("document", args=["bees", "1"]))
    assert ("bees" in html, "wasps" in html, "Other versions" in html) == (True, False, False)


@pytest.mark.parametrize("n_documents", [1, 3])
def test_documents_costs_the_same_however_many(
    people: People, n_documents: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(n_documents):
        make_document(people.collection)
    client = people.client("admin")
    with django_assert_num_queries(8):
        client.get(LIST)


def test_who_may_browse_documents(people: People) -> None:
    make_document(people.collection, "1")
    assert people.statuses(LIST) == RESEARCH_ONLY
    assert people.statuses(reverse("document", args=["bees", "1"])) == RESEARCH_ONLY
