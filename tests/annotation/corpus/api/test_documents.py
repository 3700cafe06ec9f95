"""Documents by the API, and one topic and one document with their texts."""

import pytest
from django.urls import reverse

from annotation.models import DocumentVersion, Import, TopicVersion
from tests.annotation.callers import RESEARCH, caller, statuses
from tests.annotation.counting import queries_of
from tests.annotation.roles import People, make_people
from tests.factories import make_document, make_documents, make_topic

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]
LIST = reverse("api_documents", args=["bees"])


@pytest.fixture
def people() -> People:
    return make_people()


def topic(number: str) -> str:
    return reverse("api_topic", args=["bees", number])


def document(docno: str) -> str:
    return reverse("api_document", args=["bees", docno])


def test_who_may(people: People) -> None:
    make_topic(people.collection, "a/1"), make_document(people.collection, "d/1")
    assert statuses(people, LIST) == statuses(people, topic("a/1")) == statuses(people, document("d/1")) == RESEARCH


def test_what_is_elsewhere_is_not_found(people: People) -> None:
    other = people.outsider.memberships.get().collection
    make_topic(other, "1"), make_document(other, "d1")
    client = caller(people.admin)
    answers = [client.get(topic("1")), client.get(document("d1"))]
    assert [(answer.status_code, answer.json()["detail"]) for answer in answers] == [
        (404, "No such topic."),
        (404, "No such document."),
    ]
    assert client.get(LIST).json()["results"] == []


def test_what_an_import_has_staged_is_not_found(people: People) -> None:
    record = Import.objects.create(collection=people.collection, kind="documents", filename="d", sha256="0" * 64)
    staged = make_document(people.collection, "d1")
    staged.brought_by = record
    staged.save()
    assert caller(people.admin).get(document("d1")).status_code == 404


def test_a_topic_with_its_versions(people: People) -> None:
    row = make_topic(people.collection, "1", title="honey")
    TopicVersion.objects.update(is_current=False)
    TopicVersion.objects.create(collection=people.collection, topic=row, sha256="1" * 64, title="wax")
    answer = caller(people.researcher).get(topic("1")).json()
    assert answer["number"] == "1"
    assert [(each["title"], each["is_current"]) for each in answer["versions"]] == [("wax", True), ("honey", False)]


def test_a_document_with_its_text(people: People) -> None:
    row = make_document(people.collection, "d1", title="Wax", text="Bees make wax.")
    DocumentVersion.objects.update(fields={"year": 1999})
    answer = caller(people.researcher).get(document("d1")).json()
    (version,) = answer["versions"]
    assert version.pop("created_at").endswith("Z")
    assert (answer["docno"], version) == (
        row.docno,
        {
            "is_current": True,
            "sha256": "0" * 64,
            "title": "Wax",
            "text": "Bees make wax.",
            "form": "text",
            "further_fields": {"year": 1999},
        },
    )


def test_search_is_that_of_the_page(people: People) -> None:
    (
        make_document(people.collection, "d1", title="Wax"),
        make_document(people.collection, "d2", text="Of honey and wax."),
    )
    client = caller(people.researcher)
    results = {words: client.get(LIST, {"q": words}).json()["results"] for words in ("wax", "honey wax")}
    assert {words: [row["docno"] for row in rows] for words, rows in results.items()} == {
        "wax": ["d1", "d2"],
        "honey wax": ["d2"],
    }
    assert client.get(LIST, {"q": ""}).status_code == 400


def test_queries_do_not_grow(people: People) -> None:
    client = caller(people.admin)
    make_document(people.collection)
    one = queries_of(client, LIST, 1)
    make_documents(people.collection, ["", ""])
    assert queries_of(client, LIST, 3) == one
