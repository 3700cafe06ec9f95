"""Topics and documents, to browse and search."""

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotation.corpus.read.document_page import document_page
from annotation.corpus.steps.document_counts import recount_documents
from annotation.formats import documents as document_formats
from annotation.formats import topics as topic_formats
from annotation.formats.file_formats import listed_formats
from annotation.models import Document, DocumentVersion, Import, Topic, TopicVersion
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.factories import make_document, make_documents, make_topic

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]

TOPICS = "/c/bees/topics/"
DOCUMENTS = "/c/bees/documents/"


@pytest.fixture
def people() -> People:
    return make_people()


def shown(people: People, address: str) -> str:
    return people.client("researcher").get(address).text


def test_topics_lists_numbers_and_titles(people: People) -> None:
    make_topic(people.collection, "A/7", title="bees & wasps")
    html = shown(people, TOPICS)
    assert ("bees &amp; wasps" in html, 'href="/c/bees/topics/A/7"' in html, ">1 row as CSV<" in html) == (
        True,
        True,
        True,
    )


@pytest.mark.parametrize(
    ("address", "file_formats"),
    [(TOPICS, listed_formats(topic_formats.FORMATS)), (DOCUMENTS, listed_formats(document_formats.FORMATS))],
)
def test_an_empty_list_names_every_format_that_comes_in(people: People, address: str, file_formats: str) -> None:
    assert file_formats in shown(people, address)


def test_topics_finds_every_word(people: People) -> None:
    make_topic(people.collection, "1", title="bees", narrative="in winter")
    make_topic(people.collection, "2", title="bees")
    html = shown(people, TOPICS + "?q=WINTER+bees")
    assert ("/topics/1" in html, "/topics/2" in html) == (True, False)
    assert "No topic holds all of these words." in shown(people, TOPICS + "?q=wasps")


def test_topics_without_any(people: People) -> None:
    assert "No topics yet" in shown(people, TOPICS)


def test_topic_shows_its_texts_and_older_ones(people: People) -> None:
    topic = make_topic(people.collection, "1", title="bees", description="<i>eat</i>", narrative="One.\n\nTwo.")
    old = TopicVersion(collection=people.collection, topic=topic, sha256="1" * 64, title="Bees, once", is_current=False)
    old.save()
    html = shown(people, reverse("topic", args=["bees", "1"]))
    assert "<h1>bees</h1>" in html
    assert "<p>&lt;i&gt;eat&lt;/i&gt;</p>" in html
    assert "<p>One.</p><p>Two.</p>" in html
    assert "Bees, once" in html


def test_topic_of_an_import_under_way_is_not_there(people: People) -> None:
    topic = make_topic(people.collection, "1", title="bees")
    record = Import.objects.create(collection=people.collection, kind="topics", filename="f", sha256="0" * 64)
    Topic.objects.update(brought_by=record)
    assert people.client("admin").get(reverse("topic", args=["bees", topic.number])).status_code == 404
    assert "No topics yet" in shown(people, TOPICS)


def test_topic_keeps_a_version_under_way_to_itself(people: People) -> None:
    topic = make_topic(people.collection, "1", title="bees")
    record = Import.objects.create(collection=people.collection, kind="topics", filename="f", sha256="0" * 64)
    TopicVersion.objects.create(
        collection=people.collection,
        topic=topic,
        sha256="1" * 64,
        title="wasps",
        is_current=False,
        brought_by=record,
    )
    html = shown(people, reverse("topic", args=["bees", "1"]))
    assert ("bees" in html, "wasps" in html, "Other versions" in html) == (True, False, False)


def test_documents_searches_docno_title_and_text(people: People) -> None:
    make_document(people.collection, "FT-1", title="Bees", text="eat pollen")
    make_document(people.collection, "FT-2", title="Wasps", text="eat bees")
    assert [f"/documents/FT-{n}" in shown(people, DOCUMENTS) for n in (1, 2)] == [True, True]
    assert [f"/documents/FT-{n}" in shown(people, f"{DOCUMENTS}?q=eat+BEES") for n in (1, 2)] == [True, True]
    assert [f"/documents/FT-{n}" in shown(people, f"{DOCUMENTS}?q=pollen") for n in (1, 2)] == [True, False]
    assert [f"/documents/FT-{n}" in shown(people, f"{DOCUMENTS}?q=ft-2") for n in (1, 2)] == [False, True]
    assert "No document has words that begin with all of these." in shown(people, f"{DOCUMENTS}?q=hornets")


def test_documents_come_in_pages_that_keep_the_search(people: People) -> None:
    for n in range(101):
        make_document(people.collection, f"D{n:03}", text="bees")
    first, second = shown(people, f"{DOCUMENTS}?q=bees"), shown(people, f"{DOCUMENTS}?q=bees&after=D099")
    assert (">101 rows as CSV<" in first, "100 of 101" in first) == (True, True)
    assert ("?q=bees&amp;after=D099" in first, 'rel="prev"' in first) == (True, False)
    assert ("/documents/D100" in first, "/documents/D100" in second) == (False, True)
    assert ("?q=bees&amp;before=D100" in second, 'rel="next"' in second) == (True, False)
    assert "/documents/D000" in shown(people, f"{DOCUMENTS}?q=bees&before=D100")
    for unknown in ("after=D999", "before=none", "after=D100", "page=2"):
        assert "/documents/D000" in shown(people, f"{DOCUMENTS}?q=bees&{unknown}")


def test_document_pages_follow_each_other_both_ways(people: People) -> None:
    docnos = [f"D{n}" for n in range(7)]
    make_documents(people.collection, docnos)

    def walk(side: str, anchor: str) -> list[list[str]]:
        page = document_page(people.collection, size=3, **{side: anchor})
        here = [version.document.docno for version in page.rows]
        further = getattr(page, side)
        return [here, *(walk(side, further) if further else [])]

    assert walk("after", "") == [docnos[:3], docnos[3:6], docnos[6:]]
    assert walk("before", "D6") == [docnos[3:6], docnos[:3]]
    assert document_page(people.collection).n_found == 7


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
    assert "No documents yet" in shown(people, DOCUMENTS)


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


@pytest.mark.parametrize("n_texts", [1, 3])
def test_a_list_costs_the_same_however_many(
    people: People, n_texts: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(n_texts):
        make_topic(people.collection)
        make_document(people.collection)
    recount_documents(people.collection)
    client = people.client("admin")
    for address, n_queries in ((TOPICS, 11), (DOCUMENTS, 10)):
        with django_assert_num_queries(n_queries):
            client.get(address)


def test_who_may_browse_topics_and_documents(people: People) -> None:
    make_topic(people.collection, "1")
    make_document(people.collection, "1")
    for address in (TOPICS, f"{TOPICS}1", DOCUMENTS, f"{DOCUMENTS}1"):
        assert people.statuses(address) == RESEARCH_ONLY
