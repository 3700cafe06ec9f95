"""Topics and documents in their several forms, from the file to the database."""

import json

import pytest

from annotation.formats.identity import sha256_of
from annotation.models import DocumentVersion, Import, TopicVersion
from tests.annotation.exchange.steps.import_work import bring, problems_of, stored, work
from tests.corpus.documents import tgz_of
from tests.factories import make_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both("imports")]

SGML = "<top>\n<num> Number: 301\n<title> Wings\n<desc> Description:\nOn swept\nwings.\n</top>\n"
TREC = "<DOC>\n<DOCNO> FT-1 </DOCNO>\n<DATE>1958</DATE>\n<TEXT>\nOn swept\nwings.\n</TEXT>\n</DOC>\n"


def versions() -> list[tuple[str, str, str, str]]:
    rows = DocumentVersion.objects.order_by("document__docno", "pk")
    return list(rows.values_list("document__docno", "form", "title", "text"))


def test_topics_of_trec_are_stored() -> None:
    record = stored(make_collection(), "topics", SGML)
    assert record.preview["format"]["name"] == "sgml"
    assert record.preview["format"]["columns"][:2] == [["num", "number"], ["title", "title"]]
    assert list(TopicVersion.objects.values_list("topic__number", "title", "description")) == [
        ("301", "Wings", "On swept wings.")
    ]


def test_documents_of_trec_are_stored_with_their_fields() -> None:
    stored(make_collection(), "documents", TREC)
    version = DocumentVersion.objects.get()
    assert (version.document.docno, version.text, version.fields) == ("FT-1", "On swept wings.", {"DATE": "1958"})


def test_html_is_stored_sanitised_and_says_that_it_is_html() -> None:
    page = b"<title>Wings</title><script>alert(1)</script><p onclick=x>On <b>wings</b>"
    record = stored(make_collection(), "documents", tgz_of(("a/1.html", page), ("a/2.txt", b"<b>text</b>")))
    assert record.state == Import.State.PUBLISHED
    assert versions() == [("1", "html", "Wings", "<p>On <b>wings</b></p>"), ("2", "text", "", "<b>text</b>")]


def test_plain_text_keeps_its_identity_whatever_it_came_in() -> None:
    collection = make_collection()
    stored(collection, "documents", json.dumps({"id": "1", "text": "words"}) + "\n")
    plain = DocumentVersion.objects.get()
    assert plain.sha256 == sha256_of({"title": "", "text": "words", "fields": {}})
    for data in (b"1\twords\n", tgz_of(("1.txt", b"words")), b"<DOC><DOCNO>1</DOCNO><TEXT>words</TEXT></DOC>"):
        record = stored(collection, "documents", data)
        assert [n for name, n in record.preview["counts"] if name == "Unchanged"] == [1]
    assert DocumentVersion.objects.get() == plain


def test_html_is_another_text_than_the_same_words() -> None:
    collection = make_collection()
    stored(collection, "documents", tgz_of(("1.html", b"words")))
    assert DocumentVersion.objects.get().sha256 == sha256_of(
        {"title": "", "text": "words", "fields": {}, "form": "html"}
    )
    record = bring(collection, "documents", tgz_of(("1.txt", b"words")))
    work()
    record.refresh_from_db()
    assert [reason for _, _, reason in problems_of(record)] == ["document 1 is already here with another text"]


def test_a_hostile_archive_leaves_nothing() -> None:
    record = bring(make_collection(), "documents", tgz_of(("1.txt", b"good"), ("../2.txt", b"bad")))
    work()
    record.refresh_from_db()
    assert record.state == Import.State.REFUSED
    assert problems_of(record) == [("my.documents", 2, "'../2.txt': its path leads out of the archive")]
    assert versions() == []
