"""HTML documents on a page: the document's own, the card's, the adjudicator's."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Annotator, Batch, Collection, DocumentVersion, Role
from tests.factories import make_annotator, make_batch, make_collection, make_member

pytestmark = pytest.mark.django_db

GOOD = "<h3>On wings</h3><p>Lift &amp; <em>drag</em>.</p><table><tbody><tr><td>1</td></tr></tbody></table>"
HOSTILE = """<script>alert(1)</script><p onclick="alert(2)" style="color:red">text</p>
<a href="javascript:alert(3)">link</a><img src="//example.org/x.png" onerror="alert(4)">
<iframe src="//example.org"></iframe><form action="//example.org">
<input name="x"></form><style>p { color: red }</style><svg onload="alert(5)"></svg>"""
REFUSED = ("alert(", "example.org", "javascript:", "<iframe", "<style", "style=", "onclick", "onload", "onerror")


@pytest.fixture
def collection() -> Collection:
    return make_collection()


def document_of(html: str) -> str:
    """The part of a page that holds the document, without what the page has of its own."""
    match = re.search(
        r'<div (?:id="text" )?class="(?:prose document-text|text) html-text"[^>]*>(.*?)</div>', html, re.DOTALL
    )
    assert match, html
    return match[1]


def judged(collection: Collection) -> tuple[Batch, Annotator, Client]:
    annotator = make_annotator(collection)
    batch = make_batch(collection, [annotator], n_documents=1)
    assert annotator.user is not None
    client = Client()
    client.force_login(annotator.user)
    return batch, annotator, client


def stored(collection: Collection, text: str) -> None:
    DocumentVersion.objects.filter(collection=collection).update(form="html", text=text)


def card(batch: Batch, client: Client) -> str:
    client.post(f"/judge/{batch.token}/start")
    return client.get(f"/judge/{batch.token}/").text


def page(collection: Collection) -> str:
    client = Client()
    client.force_login(make_member(collection, role=Role.ADMIN))
    version = DocumentVersion.objects.get(collection=collection)
    return client.get(reverse("document", args=[collection.slug, version.document.docno])).text


def test_a_card_shows_html_as_html(collection: Collection) -> None:
    batch, _, client = judged(collection)
    stored(collection, GOOD)
    text = card(batch, client)
    assert document_of(text) == GOOD
    assert "This document has no text." not in text


def test_the_document_page_shows_html_as_html(collection: Collection) -> None:
    judged(collection)
    stored(collection, GOOD)
    assert document_of(page(collection)) == GOOD


def test_what_is_stored_is_sanitised_once_more(collection: Collection) -> None:
    batch, _, client = judged(collection)
    stored(collection, HOSTILE)
    for html in (card(batch, client), page(collection)):
        shown = document_of(html)
        assert [text for text in REFUSED if text in html] == []
        assert (re.findall(r"<[^>]*>", shown), "link" in shown) == (["<p>", "</p>"], True)


def test_plain_text_that_looks_like_html_stays_text(collection: Collection) -> None:
    batch, _, client = judged(collection)
    DocumentVersion.objects.filter(collection=collection).update(text="<b>bold</b>")
    for html in (card(batch, client), page(collection)):
        assert "&lt;b&gt;bold&lt;/b&gt;" in html
        assert "html-text" not in html


def test_an_empty_html_document(collection: Collection) -> None:
    batch, _, client = judged(collection)
    stored(collection, "")
    assert "This document has no text." in card(batch, client)
    assert "This document has no text." in page(collection)
