"""The document on the judging page: what comes with a card, what comes on demand, and a person's own choices."""

import html
import re
from dataclasses import dataclass, fields
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

from annotation.judging.api.desk_serializers import CardDocumentSerializer
from annotation.judging.read.card_documents import CardDocument
from annotation.models import (
    Annotator,
    Batch,
    Collection,
    DocumentVersion,
    ExtraTerms,
    JudgingChoices,
    Judgment,
    Role,
    TopicVersion,
)
from annotation.text.chunks import LONG
from annotation.text.safe import SafeHtml
from tests.factories import (
    make_annotator,
    make_batch,
    make_collection,
    make_document,
    make_item,
    make_member,
    make_participation,
    make_topic,
    make_user,
)

pytestmark = pytest.mark.django_db

SCRIPT = {"X-Judge": ""}
FILL = "The weather of that day was as it is on most days of the year. "
SLEEP = "Swifts sleep on the wing. "
MIDDLING = f"{FILL * 4}\n\n" * 10 + SLEEP + f"\n\n{FILL * 4}" * 10
LONGER = f"{FILL * 8}\n\n" * 50 + SLEEP + f"\n\n{FILL * 8}" * 50
TEXT = re.compile(
    r'<div id="text" class="([^"]*)"\s+dir="ltr"(?: lang="\w+")?\s+([^>]*)>(.*?)</div>\n\s*(?:<p class|</div>|\Z)',
    re.DOTALL,
)
TAG = re.compile(r"<[^>]*>")
CARD = re.compile(r'<section id="card"[^>]* data-token="([^"]+)"')


@dataclass
class Reader:
    batch: Batch
    annotator: Annotator
    client: Client

    @classmethod
    def of(cls, text: str, *, form: str = "text", title: str = "Where do swifts sleep") -> "Reader":
        """A person with one card before them, the document of which has this text."""
        collection = make_collection()
        annotator = make_annotator(collection)
        batch = make_batch(collection, [annotator], n_documents=0, judgments_per_item=1)
        document = make_document(collection, title="A document", text=text)
        document.versions.update(form=form)
        make_item(batch, make_topic(collection, title=title), document)
        assert annotator.user is not None
        client = Client()
        client.force_login(annotator.user)
        client.post(f"/judge/{batch.token}/start")
        return cls(batch, annotator, client)

    @property
    def path(self) -> str:
        return f"/judge/{self.batch.token}/"

    @property
    def page(self) -> str:
        return self.client.get(self.path).text

    @property
    def bytes_of_page(self) -> bytes:
        return self.client.get(self.path).content

    @property
    def token(self) -> str:
        match = CARD.search(self.page)
        assert match
        return match[1]

    def document(self, **asked: str) -> Any:
        return self.client.get(f"{self.path}document", {"token": self.token, **asked}, headers=SCRIPT)

    def post(self, deed: str, **fields: object) -> Any:
        return self.client.post(f"{self.path}{deed}", fields, headers=SCRIPT)


def text_in(page: bytes) -> tuple[dict[str, int], str]:
    """The places that the page's text says it has, and the text itself with every blank."""
    match = TEXT.search(page.decode())
    assert match, page
    return {name: int(n) for name, n in re.findall(r'data-(\w+)="(\d+)"', match[2])}, html.unescape(
        TAG.sub("", match[3])
    )


def marked(page: str, kind: str = "<mark>") -> list[str]:
    return re.findall(rf"{kind}([^<]*)</mark>", page)


def test_a_short_document_is_shown_whole() -> None:
    reader = Reader.of(SLEEP)
    assert text_in(reader.bytes_of_page) == ({"first": 0, "last": 26, "start": 0, "end": 26, "length": 26}, SLEEP)
    assert "Whole document: 26<" in reader.page
    assert "Excerpt:" not in reader.page
    assert marked(reader.page) == ["Swifts sleep"]


def test_a_card_brings_the_excerpt_and_what_is_around_it() -> None:
    reader = Reader.of(MIDDLING)
    places, text = text_in(reader.bytes_of_page)
    assert text == MIDDLING
    assert (places["first"], places["last"], places["length"]) == (0, len(MIDDLING), len(MIDDLING))
    excerpt = MIDDLING[places["start"] : places["end"]]
    assert SLEEP in excerpt
    assert f"Excerpt: {len(excerpt)} of {len(MIDDLING):,}<" in reader.page
    assert f"{places['start']:,} characters before" in reader.page
    assert f"{len(MIDDLING) - places['end']:,} characters after" in reader.page
    assert '<div class="reading" data-view="excerpt">' in reader.page


def test_of_a_long_document_a_card_brings_the_excerpt_alone() -> None:
    reader = Reader.of(LONGER)
    places, text = text_in(reader.bytes_of_page)
    assert text == LONGER[places["start"] : places["end"]]
    assert (places["first"], places["last"]) == (places["start"], places["end"])
    assert len(text) < 1_000 < LONG < len(LONGER)


def test_all_of_it_comes_on_demand() -> None:
    reader = Reader.of(LONGER)
    whole = reader.document(view="whole")
    assert text_in(whole.content)[1] == LONGER
    assert text_in(whole.content)[0]["last"] == len(LONGER)
    assert whole["Cache-Control"].startswith("max-age=0, no-cache, no-store")
    assert text_in(reader.document().content) == text_in(reader.bytes_of_page)


@pytest.mark.parametrize("view", ["all", "Whole"])
def test_another_view_is_refused(view: str) -> None:
    assert Reader.of(LONGER).document(view=view).status_code == 400


def test_only_the_card_of_the_person() -> None:
    reader, other = Reader.of(LONGER), Reader.of(LONGER)
    make_participation(reader.batch, make_annotator(reader.batch.collection, other.annotator.user), salt=5)
    assert other.client.get(f"{reader.path}document", {"token": reader.token}).status_code == 404
    assert other.client.post(f"{reader.path}terms", {"token": reader.token, "words": "x"}).status_code == 404
    assert reader.client.get(f"{reader.path}document", {"token": "x" * 22}).status_code == 404
    assert reader.client.get(f"{reader.path}document").status_code == 400


def test_nobody_else() -> None:
    reader = Reader.of(LONGER)
    token = reader.token
    admin = make_member(reader.batch.collection, role=Role.ADMIN)
    statuses = []
    for person in (admin, make_user()):
        client = Client()
        client.force_login(person)
        statuses += [
            client.get(f"{reader.path}document", {"token": token}).status_code,
            client.post(f"{reader.path}choices", {"reading": "whole"}).status_code,
            client.post(f"{reader.path}terms", {"token": token, "words": "x"}).status_code,
        ]
    assert statuses == [404] * 6
    signed_out = Client().get(f"{reader.path}document", {"token": token}, headers=SCRIPT)
    assert (signed_out.status_code, signed_out["X-Sign-In"]) == (401, f"/login?next={reader.path}")
    assert not ExtraTerms.objects.exists()
    assert not JudgingChoices.objects.exists()


def test_each_by_its_own_method() -> None:
    reader = Reader.of(SLEEP)
    assert [reader.client.get(reader.path + deed).status_code for deed in ("choices", "terms")] == [405, 405]
    assert reader.client.post(f"{reader.path}document").status_code == 405


def test_excerpt_or_all_of_it_is_remembered() -> None:
    reader = Reader.of(LONGER)
    assert reader.post("choices", reading="whole").status_code == 204
    assert 'data-reading="whole"' in reader.page
    assert text_in(reader.bytes_of_page)[1] == LONGER
    assert '<div class="reading" data-view="whole">' in reader.page
    reader.post("choices", reading="excerpt")
    assert text_in(reader.bytes_of_page)[1] != LONGER


def test_marks_or_none_is_remembered_beside_it() -> None:
    reader = Reader.of(SLEEP)
    assert 'data-marks="on"' in reader.page
    reader.post("choices", reading="whole")
    reader.post("choices", marks="off")
    assert 'data-reading="whole" data-marks="off"' in reader.page
    assert JudgingChoices.objects.get().marks is False


@pytest.mark.parametrize("fields", [{"reading": "half"}, {"marks": "maybe"}])
def test_other_choices_are_refused(fields: dict[str, str]) -> None:
    reader = Reader.of(SLEEP)
    assert reader.post("choices", **fields).status_code == 400
    assert not JudgingChoices.objects.exists()


def test_without_javascript_the_choice_leads_back_to_the_page() -> None:
    reader = Reader.of(LONGER)
    answer = reader.client.post(f"{reader.path}choices", {"reading": "whole"})
    assert (answer.status_code, answer["Location"]) == (302, reader.path)
    assert text_in(reader.bytes_of_page)[1] == LONGER


def test_own_words_are_marked_apart_and_stay_for_the_topic() -> None:
    reader = Reader.of(MIDDLING)
    answer = reader.post("terms", token=reader.token, words="weather, Wings; weather")
    own = marked(answer.text, '<mark class="own">')
    assert set(own) == {"weather", "wing"}
    assert own.count("weather") == MIDDLING.count("weather")
    assert marked(answer.text) == ["Swifts sleep"]
    assert ExtraTerms.objects.get().words == ["weather", "Wings"]
    assert marked(reader.page, '<mark class="own">') == own
    assert 'value="weather Wings"' in reader.page


def test_own_words_are_the_persons_own() -> None:
    reader = Reader.of(SLEEP)
    reader.post("terms", token=reader.token, words="wing")
    other = make_annotator(reader.batch.collection)
    ExtraTerms.objects.update(annotator=other)
    assert marked(reader.page, '<mark class="own">') == []
    ExtraTerms.objects.update(annotator=reader.annotator, topic=make_topic(reader.batch.collection))
    assert marked(reader.page, '<mark class="own">') == []


def test_no_words_take_all_away() -> None:
    reader = Reader.of(SLEEP)
    reader.post("terms", token=reader.token, words="wing")
    answer = reader.client.post(f"{reader.path}terms", {"token": reader.token, "words": " , "})
    assert (answer.status_code, answer["Location"]) == (302, reader.path)
    assert not ExtraTerms.objects.exists()
    assert marked(reader.page, '<mark class="own">') == []


def test_too_many_words_are_refused() -> None:
    reader = Reader.of(SLEEP)
    assert reader.post("terms", token=reader.token, words=" ".join(f"w{n}" for n in range(31))).status_code == 400
    assert reader.post("terms", token=reader.token, words="x" * 501).status_code == 400
    assert not ExtraTerms.objects.exists()


@pytest.mark.parametrize(
    ("text", "form", "length"),
    [("Swifts 🐦", "text", 8), ("<p>Swifts &amp; 🐦</p><p>x</p>", "html", 11), ("a\r\nb", "text", 4)],
)
def test_evidence_is_a_span_of_the_text(text: str, form: str, length: int) -> None:
    reader = Reader.of(text, form=form)
    token = reader.token
    beyond = reader.post("grade", token=token, grade=2, evidence_start=0, evidence_end=length + 1)
    assert (beyond.status_code, Judgment.objects.count()) == (400, 0)
    assert reader.post("grade", token=token, grade=2, evidence_start=0, evidence_end=length).status_code == 200
    judgment = Judgment.objects.get()
    assert (judgment.evidence_start, judgment.evidence_end) == (0, length)


@pytest.mark.parametrize("evidence", [(3, 3), (4, 2), (-1, 2), ("", 2), (2, "")])
def test_other_evidence_is_refused(evidence: tuple[object, object]) -> None:
    reader = Reader.of(SLEEP)
    fields = {"token": reader.token, "grade": 2, "evidence_start": evidence[0], "evidence_end": evidence[1]}
    assert reader.post("grade", **fields).status_code == 400
    assert not Judgment.objects.exists()


def test_evidence_is_there_again_when_the_card_is() -> None:
    reader = Reader.of(SLEEP)
    reader.post("grade", token=reader.token, grade=2, evidence_start=7, evidence_end=12)
    reader.post("undo")
    page = reader.page
    assert 'data-evidence-start="7" data-evidence-end="12"' in page
    assert 'name="evidence_start" value="7"' in page
    assert 'Swifts</mark><mark class="evidence"><mark> ' not in page
    assert re.search(r'<mark class="evidence">.*?sleep.*?</mark>', page)
    reader.post("grade", token=reader.token, grade=2, evidence_start="", evidence_end="")
    assert list(Judgment.objects.order_by("revision").values_list("evidence_start", flat=True)) == [7, None]


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_a_document_without_words(text: str) -> None:
    reader = Reader.of(text)
    assert "This document has n" in reader.page
    assert text_in(reader.bytes_of_page)[1].strip() == ""


def test_the_next_card_is_light() -> None:
    """A fragment with a document of three kilobytes, every tenth word of it marked, weighs at most 15 kB."""
    text = "\n\n".join(["The weather of that day was as swifts know it. " * 6] * 11)[:3000]
    reader = Reader.of(text)
    other = make_document(reader.batch.collection, title="A title of some length, as they come", text=text)
    narrative = "Relevant is what tells how, where or how long birds sleep in flight. " * 5
    topic = make_topic(reader.batch.collection, title="Where do swifts sleep", description="What?", narrative=narrative)
    for n in range(3):
        make_item(reader.batch, topic, other if n == 0 else make_document(reader.batch.collection), block=1)
    ahead = reader.post("grade", token=reader.token, grade=2)
    assert len(CARD.findall(ahead.text)) == 2
    following = reader.post("grade", token=CARD.findall(ahead.text)[0], grade=2)
    for answer in (ahead, following):
        cards = re.findall(r"<template data-card=.*?</template>", answer.text, re.DOTALL)
        assert max(len(card.encode()) for card in cards) <= 15_000


@pytest.mark.parametrize("text", [SLEEP, MIDDLING, LONGER], ids=["short", "middling", "long"])
def test_topic_and_document_say_in_which_language_they_are_however_they_are_shown(text: str) -> None:
    reader = Reader.of(text)
    pattern = re.compile(r'<(\w+)(?: (?:id|class)="([^"]*)")?[^>]* lang="de"')
    parts = [reader.page, reader.document().text, reader.document(view="whole").text]
    assert [pattern.findall(part) for part in parts] == [[], [], []], "nothing is told"
    Collection.objects.update(language="de")
    TopicVersion.objects.update(description="D", narrative="N")
    card = pattern.findall(reader.page)
    topic = [("h1", ""), ("p", ""), ("p", "narrative")]
    assert card == [*topic, ("h2", "document-title"), ("div", "text"), ("q", "evidence-text")]
    words = reader.post("terms", token=reader.token, words="weather").text
    fragments = [reader.document().text, reader.document(view="whole").text, words]
    assert [pattern.findall(fragment) for fragment in fragments] == [[("div", "text")]] * 3


def test_a_document_without_a_title_is_said_to_be_so_in_the_words_of_the_page() -> None:
    reader = Reader.of(SLEEP)
    Collection.objects.update(language="ja")
    DocumentVersion.objects.update(title="")
    assert '<h2 id="document-title" dir="auto">Document without a title</h2>' in reader.page


def test_a_program_has_of_a_document_whatever_the_page_has() -> None:
    assert {each.name for each in fields(CardDocument)} <= set(CardDocumentSerializer().fields)


def test_a_page_has_of_a_document_whatever_a_program_has() -> None:
    """Each text of it but the bare one, which stands there as HTML."""
    batch = make_batch(make_collection(), [])
    texts: dict[str, Any] = {
        each.name: f"some-{each.name}" for each in fields(CardDocument) if each.type in {str, SafeHtml}
    }
    rest: dict[str, Any] = {each.name: 1 for each in fields(CardDocument) if each.type in {int, bool}}
    document = CardDocument(words=[], evidence=None, **rest, **texts)
    card = {"document": document, "title": document.title}
    page = render_to_string("annotation/judging/judge_document.html", {"card": card, "batch": batch})
    assert {"title", "html", "text", "direction"} <= set(texts)
    assert [name for name, text in texts.items() if name != "text" and text not in page] == []
