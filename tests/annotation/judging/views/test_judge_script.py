"""What the page's script gets: an answer that brings the cards it lacks, and nothing that a person did is swallowed."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.judging.steps import tally
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    Feedback,
    Judgment,
    Planting,
    Slot,
    WorkSession,
)
from tests.factories import make_annotator, make_batch, make_collection, make_gold

pytestmark = pytest.mark.django_db

ANSWER = re.compile(
    r'<div class="answer" data-outcome="(\w+)" data-token="([^"]*)" data-current="([^"]*)" data-ahead="([^"]*)">'
)
TEMPLATE = re.compile(r'<template data-card="([^"]+)">')
CARD = re.compile(r'<section id="card"[^>]* data-token="([^"]+)"')


class Page:
    """A page with its script: what it holds, and the last answer it got."""

    def __init__(self, batch: Batch, annotator: Annotator) -> None:
        assert annotator.user is not None
        self.client, self.path = Client(), f"/judge/{batch.token}/"
        self.client.force_login(annotator.user)
        self.outcome = self.about = self.current = ""
        self.waiting: list[str] = []
        self.brought: list[str] = []

    @property
    def next(self) -> str:
        return self.waiting[0] if self.waiting else ""

    def post(self, deed: str, *tokens: str, ahead: int | str = 1, **fields: object) -> HttpResponse:
        headers = {"X-Judge": ", ".join(tokens), "X-Judge-Ahead": str(ahead)}
        answer = self.client.post(self.path + deed, fields, headers=headers)
        if answer.status_code == 200:
            match = ANSWER.match(answer.text)
            assert match, answer.text
            self.outcome, self.about, self.current, waiting = match.groups()
            self.waiting = waiting.split(",") if waiting else []
            self.brought = TEMPLATE.findall(answer.text)
        return answer  # type: ignore[return-value]


def opened(**settings: object) -> tuple[Batch, Page]:
    collection = make_collection()
    annotator = make_annotator(collection)
    batch = make_batch(collection, [annotator], **settings)  # type: ignore[arg-type]
    return batch, Page(batch, annotator)


def test_starting_brings_the_card_and_the_next() -> None:
    _, page = opened()
    answer = page.post("start")
    assert (page.outcome, page.about) == ("moved", "")
    assert page.brought == [page.current, page.next]
    assert CARD.findall(answer.text) == page.brought
    assert Slot.objects.filter(state="leased").count() == 2


def test_the_page_holds_the_next_card_where_one_is_held() -> None:
    _, page = opened()
    page.post("start")
    text = page.client.get(page.path).text
    assert CARD.findall(text) == [page.current, page.next]
    assert '<template id="next"' in text


def test_without_a_script_nothing_is_fetched_ahead() -> None:
    _, page = opened()
    page.client.post(page.path + "start")
    text = page.client.get(page.path).text
    assert '<template id="next"' not in text
    assert Slot.objects.filter(state="leased").count() == 1


@pytest.mark.parametrize(("ahead", "n"), [(5, 5), (2, 2), (9, 5), ("x", 0), ("-1", 0), ("10", 0)])
def test_as_many_wait_as_the_page_asks_for(ahead: int | str, n: int) -> None:
    _, page = opened(n_documents=12)
    answer = page.post("start", ahead=ahead)
    assert len(page.waiting) == n
    assert CARD.findall(answer.text) == page.brought == [page.current, *page.waiting]
    assert CARD.findall(page.client.get(page.path).text) == page.brought[:2], "the script asks for the others"
    page.client.post(page.path + "release", {"token": ",".join(page.waiting) or page.current})
    assert Slot.objects.filter(state="leased").count() == 1


def test_only_what_the_page_lacks_is_sent() -> None:
    _, page = opened()
    page.post("start")
    first, second = page.current, page.next
    page.post("grade", second, token=first, grade=3)
    assert (page.outcome, page.about, page.current) == ("saved", first, second)
    assert page.brought == [page.next]
    page.post("grade", second, page.next, token=first, grade=3)
    assert (page.outcome, page.brought) == ("replayed", [])


def test_a_refusal_says_why() -> None:
    _, page = opened()
    page.post("start")
    first = page.current
    page.post("skip", token=first, reason="other")
    answer = page.post("grade", token=first, grade=3)
    assert (page.outcome, page.about) == ("refused", first)
    assert "You have skipped this item" in answer.text
    assert not Judgment.objects.exists()


def test_another_grade_on_an_answered_card_is_asked_about() -> None:
    _, page = opened()
    page.post("start")
    first = page.current
    page.post("grade", token=first, grade=3)
    asked = page.post("grade", token=first, grade=1)
    assert asked.status_code == 409
    assert '<section id="card"' in asked.text
    assert "<html" not in asked.text


def test_times_and_evidence_arrive() -> None:
    _, page = opened(minimum_seconds=10)
    page.post("start")
    Assignment.objects.get(cards__token=page.current).cards.update(issued_at=timezone.now() - timedelta(minutes=1))
    page.post("grade", token=page.current, grade=1, wall_ms=9000, active_ms=8000, evidence_start=2, evidence_end=7)
    judgment = Judgment.objects.get()
    assert (judgment.wall_ms, judgment.active_ms, judgment.early) == (9000, 8000, True)
    assert (judgment.evidence_start, judgment.evidence_end) == (2, 7)


@pytest.mark.parametrize(
    "span", [{"evidence_start": 3}, {"evidence_end": 3}, {"evidence_start": 3, "evidence_end": 3}, {"evidence_end": -1}]
)
def test_a_span_that_is_none_is_refused(span: dict[str, int]) -> None:
    _, page = opened()
    page.post("start")
    assert page.post("grade", token=page.current, grade=1, **span).status_code == 400
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("deed", ["start", "grade", "skip", "later", "undo", "keep", "heartbeat", "release", ""])
def test_an_expired_sign_in_is_told_and_where_to_sign_in(deed: str) -> None:
    _, page = opened()
    page.client.logout()
    send = page.client.post if deed else page.client.get
    answer = send(page.path + deed, headers={"X-Judge": ""})
    assert (answer.status_code, answer["X-Sign-In"]) == (401, f"/login?next={page.path}")
    assert answer.content == b""


def test_a_card_of_someone_else_is_not_found() -> None:
    batch, page = opened()
    page.post("start")
    other = Page(batch, make_annotator(batch.collection))
    batch.participations.create(annotator=Annotator.objects.latest("pk"), salt=5)
    statuses = [
        other.post("grade", token=page.current, grade=1).status_code,
        other.post("release", token=page.next).status_code,
        other.post("undo", token=page.current).status_code,
    ]
    assert statuses == [404] * 3


def test_two_people_have_two_names_for_what_their_browsers_keep() -> None:
    batch, page = opened()
    other = Page(batch, make_annotator(batch.collection))
    batch.participations.create(annotator=Annotator.objects.latest("pk"), salt=5)
    people = []
    for each in (page, other, page):
        each.post("start")
        people.append(each.client.get(each.path).context["person"])
    assert people[0] == people[2] != people[1]
    assert re.fullmatch(r"[0-9a-f]{22}", people[0])


def test_the_page_gives_back_what_it_has_not_shown() -> None:
    _, page = opened()
    page.post("start")
    answer = page.client.post(page.path + "release", {"token": page.next})
    assert (answer.status_code, answer.content) == (204, b"")
    assert Slot.objects.filter(state="leased").count() == 1
    assert page.client.post(page.path + "release", {"token": page.current}).status_code == 204
    assert Slot.objects.filter(state="leased").count() == 1


def test_one_of_two_pages_gives_back_nothing_that_the_other_holds() -> None:
    _, page = opened()
    for name in ("left", "right"):
        page.client.post(page.path + "start", headers={"X-Judge": "", "X-Judge-Page": name})
    page.post("start")
    leased = []
    for name in ("left", "right", "right"):
        page.client.post(page.path + "release", {"token": page.next, "page": name})
        leased.append(Slot.objects.filter(state="leased").count())
    assert leased == [2, 1, 1]


def test_in_place_of_a_card_stands_why_there_is_none() -> None:
    _, page = opened(n_documents=1, judgments_per_item=1)
    page.post("start")
    assert page.next == ""
    answer = page.post("grade", token=page.current, grade=2)
    assert (page.outcome, page.current, page.next, page.brought) == ("saved", "", "", ["state"])
    assert "That was the last one" in answer.text


def test_at_the_limit_of_the_session_stands_the_break() -> None:
    _, page = opened(session_minutes=5)
    page.client.post(page.path + "start")
    WorkSession.objects.update(started_at=timezone.now() - timedelta(minutes=5))
    token = Assignment.objects.get().cards.get().token
    answer = page.post("grade", token=token, grade=2)
    assert page.brought == ["state"]
    assert "Time for a break" in answer.text


def test_the_last_judgments_lead_back_to_them() -> None:
    batch, page = opened(n_documents=30, judgments_per_item=1)
    page.post("start")
    tokens = []
    for n in range(22):
        tokens.append(page.current)
        page.post("grade", token=page.current, grade=n % 5)
    page.post("undo", token=tokens[-1])
    page.post("grade", token=page.current, grade=0)
    assignment = Assignment.objects.get(cards__token=tokens[-2])
    Feedback.objects.create(
        batch=batch,
        annotator=assignment.annotator,
        assignment=assignment,
        grade=3,
        accepted=[3],
        created_at=timezone.now(),
    )
    recent = page.client.get(page.path + "recent").context["recent"]
    assert [each.token for each in recent] == tokens[:1:-1]
    assert [each.grade for each in recent[:3]] == [0, 0, 4]
    assert [each.may_change for each in recent[:3]] == [True, False, True]
    Batch.objects.update(state=Batch.State.CLOSED)
    recent = page.client.get(page.path + "recent").context["recent"]
    assert {each.may_change for each in recent} == {False}


def test_an_undo_that_leads_nowhere_is_refused() -> None:
    _, page = opened()
    page.post("start")
    page.post("undo", token=page.current)
    assert page.outcome == "refused"
    page.post("grade", token=page.current, grade=1)
    page.post("undo", token=page.current)
    assert (page.outcome, page.brought[0]) == ("moved", page.current)


@pytest.mark.parametrize(("n_documents", "is_gold"), [(5, False), (40, False), (5, True)])
def test_a_judgment_takes_so_many_statements_whatever_the_pair_and_the_batch(
    monkeypatch: pytest.MonkeyPatch, n_documents: int, is_gold: bool
) -> None:
    """Session, person, place; from savepoint to release 17; the batch's progress, once in five seconds; the texts."""
    batch, page = opened(n_documents=n_documents)
    if is_gold:
        for item in batch.items.all():
            make_gold(item, 2)
            Planting.objects.create(item=item, purpose="gold", in_pool=True)
        Slot.objects.filter(batch=batch, n=0).update(reserved_for=Annotator.objects.get(), due=1)
    page.post("start")
    page.post("grade", page.next, token=page.current, grade=1)
    monkeypatch.setattr(tally, "RECOUNT_AFTER", -1.0)
    with CaptureQueriesContext(connection) as queries:
        page.post("grade", page.next, token=page.current, grade=1)
    assert page.outcome == "saved"
    assert page.next
    assert len(queries) == 22
