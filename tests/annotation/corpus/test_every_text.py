"""Whatever text a topic or document has goes wherever its texts go: to its page, by the API and into a BEIR folder."""

import io
import zipfile

import pytest
from django.db.models import Field, JSONField, TextField
from django.urls import reverse

from annotation.exchange.read.exports.beir import corpus_of, queries_of
from annotation.formats.beir_export import beir_zip
from annotation.models import DocumentVersion, TopicVersion
from tests.annotation.callers import caller
from tests.annotation.roles import People, make_people
from tests.factories import make_document, make_snapshot, make_topic

pytestmark = pytest.mark.django_db
KINDS = {"topic": TopicVersion, "document": DocumentVersion}


def texts_of(kind: str) -> dict[str, object]:
    """Something to be recognised for each column that holds a text, or what else a file said."""
    columns: list[Field] = list(KINDS[kind]._meta.concrete_fields)  # type: ignore[type-arg]
    texts = {each.name: f"some-{each.name}" for each in columns if isinstance(each, TextField)}
    return {**texts, **{each.name: {"more": f"some-{each.name}"} for each in columns if isinstance(each, JSONField)}}


def left_out(kind: str, shown: str) -> list[str]:
    return [name for name in texts_of(kind) if f"some-{name}" not in shown]


@pytest.fixture
def people() -> People:
    people = make_people()
    make_topic(people.collection, "1"), make_document(people.collection, "d1")
    for kind, versions in KINDS.items():
        versions._default_manager.update(**texts_of(kind))
    return people


@pytest.mark.parametrize(("kind", "name"), [("topic", "1"), ("document", "d1")])
def test_a_text_stands_on_the_page_and_in_the_api(people: People, kind: str, name: str) -> None:
    assert len(texts_of(kind)) > 2
    page = people.client("researcher").get(reverse(kind, args=["bees", name])).text
    assert left_out(kind, page) == [], "on the page"
    answer = caller(people.researcher).get(reverse(f"api_{kind}", args=["bees", name])).content.decode()
    assert left_out(kind, answer) == [], "by the API"


def test_a_text_stands_in_a_beir_folder(people: People) -> None:
    snapshot = make_snapshot(people.collection, "1 0 d1 1\n")
    packed = b"".join(beir_zip("bees", [], queries_of(snapshot), corpus_of(snapshot)))
    with zipfile.ZipFile(io.BytesIO(packed)) as folder:
        shown = {name: folder.read(name).decode() for name in folder.namelist()}
    assert left_out("topic", shown["queries.jsonl"]) == left_out("document", shown["corpus.jsonl"]) == []
