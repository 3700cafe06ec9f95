"""The judging page over HTTP, as a browser with and without JavaScript meets it."""

import re
import secrets
import time
from datetime import timedelta
from random import Random

import pytest
from django.db import connection, transaction
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.judging.steps import tally
from annotation.judging.steps.gates import acknowledge_guideline
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    GoldEvent,
    GuidelineVersion,
    Judgment,
    Planting,
    Role,
    Slot,
    WorkSession,
)
from tests.factories import (
    make_annotator,
    make_batch,
    make_collection,
    make_document,
    make_item,
    make_member,
    make_topic,
    make_user,
)

pytestmark = pytest.mark.django_db
TOKEN = re.compile(r'<section id="card"[^>]* data-token="([^"]+)"|name="token" value="([^"]+)"')
SCRIPT = {"X-Judge": ""}  # a script whose page holds no card


def signed_in(annotator: Annotator) -> Client:
    assert annotator.user is not None
    client = Client()
    client.force_login(annotator.user)
    return client


def started(**settings: object) -> tuple[Batch, Annotator, Client]:
    collection = make_collection()
    annotator = make_annotator(collection)
    batch = make_batch(collection, [annotator], **settings)  # type: ignore[arg-type]
    client = signed_in(annotator)
    client.post(f"/judge/{batch.token}/start")
    return batch, annotator, client


def shown_token(text: str) -> str:
    match = TOKEN.search(text)
    assert match, text
    return match[1] or match[2]


def test_only_the_participant_may_judge() -> None:
    batch, _, _ = started()
    path = f"/judge/{batch.token}/"
    admin = make_member(batch.collection, role=Role.ADMIN)
    other = make_annotator(batch.collection).user
    statuses = []
    for person in (admin, other, make_user()):
        client = Client()
        client.force_login(person)  # type: ignore[arg-type]
        statuses += [client.get(path).status_code, client.post(path + "grade").status_code]
    assert statuses == [404] * 6
    anonymous = Client().get(path)
    assert (anonymous.status_code, anonymous["Location"]) == (302, f"/login?next={path}")


def test_a_person_taken_off_the_batch_may_no_longer_judge() -> None:
    batch, _, client = started()
    batch.participations.update(is_active=False)
    assert client.get(f"/judge/{batch.token}/").status_code == 404


@pytest.mark.both("locks")
@pytest.mark.parametrize("headers", [SCRIPT, {}])
def test_a_person_taken_off_the_batch_may_hand_in_what_was_open(headers: dict[str, str]) -> None:
    batch, annotator, client = started()
    token = shown_token(client.get(f"/judge/{batch.token}/").text)
    batch.participations.update(is_active=False)
    answer = client.post(f"/judge/{batch.token}/grade", {"token": token, "grade": "3"}, headers=headers)
    if headers:
        assert "This batch is closed" in answer.text
    else:
        assert (answer.status_code, answer["Location"]) == (302, "/")
    assert Judgment.objects.get(token=token).grade == 3
    assert not Assignment.objects.filter(annotator=annotator, state="leased").exists()


def test_looking_claims_nothing_and_starting_does() -> None:
    collection = make_collection()
    annotator = make_annotator(collection)
    batch = make_batch(collection, [annotator])
    client = signed_in(annotator)
    page = client.get(f"/judge/{batch.token}/")
    assert "Start judging" in page.text
    assert not Assignment.objects.exists()
    answer = client.post(f"/judge/{batch.token}/start")
    assert (answer.status_code, answer["Location"]) == (302, f"/judge/{batch.token}/")
    assert 'id="grades"' in client.get(f"/judge/{batch.token}/").text
    assert Assignment.objects.count() == 1


@pytest.mark.parametrize("deed", ["start", "grade", "skip", "later", "undo", "keep", "heartbeat", "release"])
def test_no_deed_by_get(deed: str) -> None:
    batch, _, client = started()
    assert client.get(f"/judge/{batch.token}/{deed}").status_code == 405


def test_a_grade_by_script_is_answered_with_the_next_card() -> None:
    batch, _, client = started()
    token = shown_token(client.get(f"/judge/{batch.token}/").text)
    answer = client.post(f"/judge/{batch.token}/grade", {"token": token, "grade": "3"}, headers=SCRIPT)
    assert answer.status_code == 200
    assert answer.text.startswith(f'<div class="answer" data-outcome="saved" data-token="{token}"')
    assert "✓ Saved: 3 Highly relevant" in answer.text
    assert shown_token(answer.text) != token
    assert Judgment.objects.get(token=token).grade == 3


def test_a_grade_without_javascript_goes_back_to_the_page() -> None:
    batch, _, client = started()
    token = shown_token(client.get(f"/judge/{batch.token}/").text)
    answer = client.post(f"/judge/{batch.token}/grade", {"token": token, "grade": "0", "comment": " Off topic. "})
    assert (answer.status_code, answer["Location"]) == (302, f"/judge/{batch.token}/")
    assert "Saved: 0 Not relevant" in client.get(f"/judge/{batch.token}/").text
    assert Judgment.objects.get(token=token).comment == "Off topic."


@pytest.mark.parametrize("grade", ["5", "-1", "two", "", "1.0"])
def test_a_grade_outside_the_scale_is_refused(grade: str) -> None:
    batch, _, client = started()
    token = shown_token(client.get(f"/judge/{batch.token}/").text)
    answer = client.post(f"/judge/{batch.token}/grade", {"token": token, "grade": grade})
    assert answer.status_code == 400
    assert "grade" in answer.text
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("deed", ["grade", "skip", "later"])
def test_an_unknown_token_is_refused(deed: str) -> None:
    batch, _, client = started()
    answer = client.post(f"/judge/{batch.token}/{deed}", {"token": "x" * 22, "grade": "1", "reason": "other"})
    assert answer.status_code == 404


def test_another_grade_on_an_answered_card_is_asked_about_and_changed_on_request() -> None:
    batch, _, client = started()
    token = shown_token(client.get(f"/judge/{batch.token}/").text)
    client.post(f"/judge/{batch.token}/grade", {"token": token, "grade": "3"}, headers=SCRIPT)
    asked = client.post(f"/judge/{batch.token}/grade", {"token": token, "grade": "1"}, headers=SCRIPT)
    assert asked.status_code == 409
    assert "You graded this 3 (Highly relevant). Change it to 1 (Marginally relevant)?" in asked.text
    assert Judgment.objects.count() == 1
    client.post(f"/judge/{batch.token}/grade", {"token": shown_token(asked.text), "grade": "1"}, headers=SCRIPT)
    assert list(Judgment.objects.order_by("revision").values_list("grade", flat=True)) == [3, 1]


def test_undo_shows_the_old_grade_and_keep_goes_on() -> None:
    batch, _, client = started()
    token = shown_token(client.get(f"/judge/{batch.token}/").text)
    following = client.post(f"/judge/{batch.token}/grade", {"token": token, "grade": "4"}, headers=SCRIPT)
    undone = client.post(f"/judge/{batch.token}/undo", headers=SCRIPT)
    assert 'data-grade="4"' in undone.text
    page = client.get(f"/judge/{batch.token}/").text
    assert "You graded this 4." in page
    assert "your grade" in page
    kept = client.post(f"/judge/{batch.token}/keep", headers=SCRIPT)
    assert "Kept: 4 " in kept.text
    assert "Kept" not in client.post(f"/judge/{batch.token}/keep", headers=SCRIPT).text
    assert shown_token(kept.text) == shown_token(following.text)


def test_skip_wants_a_known_reason() -> None:
    batch, _, client = started()
    token = shown_token(client.get(f"/judge/{batch.token}/").text)
    refused = client.post(f"/judge/{batch.token}/skip", {"token": token, "reason": "bored"})
    assert refused.status_code == 400
    answer = client.post(
        f"/judge/{batch.token}/skip", {"token": token, "reason": "broken", "note": "It is empty."}, headers=SCRIPT
    )
    assert shown_token(answer.text) != token
    skipped = Assignment.objects.get(state="skipped")
    assert (skipped.skip_reason, skipped.skip_note) == ("broken", "It is empty.")


@pytest.mark.both("locks")
def test_a_heartbeat_says_whether_the_item_is_still_held() -> None:
    batch, _, client = started()
    token = shown_token(client.get(f"/judge/{batch.token}/").text)
    assert client.post(f"/judge/{batch.token}/heartbeat", {"token": token}).status_code == 204
    Slot.objects.filter(state="leased").update(lease_until=timezone.now() - timedelta(minutes=1))
    Assignment.objects.update(slot=None, state="expired")
    assert client.post(f"/judge/{batch.token}/heartbeat", {"token": token}).status_code == 410


def test_a_break_keeps_the_judgment_and_shows_when_it_ends() -> None:
    batch, annotator, client = started(session_minutes=50, break_minutes=10)
    WorkSession.objects.update(started_at=timezone.now() - timedelta(minutes=51))
    token = shown_token(client.get(f"/judge/{batch.token}/").text)
    answer = client.post(f"/judge/{batch.token}/grade", {"token": token, "grade": "2"}, headers=SCRIPT)
    assert "Time for a break" in answer.text
    assert "Saved: 2 Fairly relevant" in answer.text
    assert "Time for a break" in client.get(f"/judge/{batch.token}/").text
    client.post(f"/judge/{batch.token}/start")
    assert not Assignment.objects.filter(annotator=annotator, state="leased").exists()


def test_hostile_texts_are_shown_as_text() -> None:
    collection = make_collection()
    annotator = make_annotator(collection)
    batch = make_batch(collection, [annotator], n_documents=0)
    attack = "<script>alert(1)</script> & <b>bold</b>\n\n\u202eright to left\x00"
    topic = make_topic(collection, title="<img src=x onerror=boo>")
    make_item(batch, topic, make_document(collection, title="<i>title</i>", text=attack.replace("\x00", "\ufffd")))
    client = signed_in(annotator)
    client.post(f"/judge/{batch.token}/start")
    text = client.get(f"/judge/{batch.token}/").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;bold&lt;/b&gt;" in text
    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert "<i>title" not in text


def test_the_page_carries_no_database_ids_and_no_external_ids_of_documents() -> None:
    collection = make_collection()
    annotator = make_annotator(collection)
    batch = make_batch(collection, [annotator], n_documents=0)
    item = make_item(batch, make_topic(collection), make_document(collection, docno="SECRET-DOCNO-77"))
    client = signed_in(annotator)
    client.post(f"/judge/{batch.token}/start")
    text = client.get(f"/judge/{batch.token}/").text
    assert "SECRET-DOCNO-77" not in text
    assert item.token not in text
    assert batch.token in text


@pytest.mark.both("locks")
def test_the_guideline_in_force_is_shown_and_pinned() -> None:
    batch, _, client = started()
    collection = batch.collection
    collection.guideline = GuidelineVersion.objects.create(
        collection=collection, number=2, sha256="1" * 64, introduction="Read *every* word.", edge_cases="- jokes"
    )
    collection.save()
    token = shown_token(client.get(f"/judge/{batch.token}/").text)
    client.post(f"/judge/{batch.token}/grade", {"token": token, "grade": "1"})
    acknowledge_guideline(batch.participations.get(), number=2, moment=timezone.now())
    client.post(f"/judge/{batch.token}/start")
    page = client.get(f"/judge/{batch.token}/").text
    assert "Guideline, version 2" in page
    assert "Read <em>every</em> word." in page
    assert Assignment.objects.latest("id").guideline == collection.guideline
    assert Judgment.objects.get().guideline is not None
    assert Judgment.objects.get().guideline.number == 1  # type: ignore[union-attr]


def walk(batch: Batch, annotator: Annotator) -> tuple[list[bytes], list[str]]:
    """Judge to the end; every byte and header that came back, and every query that was made for it."""
    client = signed_in(annotator)
    client.defaults["HTTP_X_REQUEST_ID"] = "walk"  # else each answer has an id made at random
    received, asked = [], []
    path = f"/judge/{batch.token}/"
    with CaptureQueriesContext(connection) as queries:
        answer = client.post(path + "start")
        answer = client.get(path)
        while TOKEN.search(answer.text):
            received.append(repr(sorted(answer.headers.items())).encode() + answer.content)
            answer = client.post(path + "grade", {"token": shown_token(answer.text), "grade": "2"}, headers=SCRIPT)
        received.append(answer.content)
    asked = [query["sql"] for query in queries.captured_queries]
    return received, asked


@pytest.mark.both("locks")
def test_which_laid_out_pairs_are_gold_changes_not_a_byte_nor_a_query(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same layout twice, rolled back in between; other pairs are gold the second time."""
    collection = make_collection()
    annotator = make_annotator(collection)
    batch = make_batch(collection, [annotator], n_topics=2, n_documents=6, judgments_per_item=1)
    reserved = list(batch.items.order_by("id")[::3])
    Slot.objects.filter(item__in=reserved).update(reserved_for=annotator, due=1)
    moment = timezone.now()

    def walk_with_gold(gold: list[int]) -> tuple[list[bytes], list[str]]:
        chance = Random(5)
        monkeypatch.setattr(tally, "RECOUNT_AFTER", -1.0)
        monkeypatch.setattr(secrets, "token_urlsafe", lambda n=16: f"{chance.getrandbits(128):032x}"[:22])
        monkeypatch.setattr(secrets, "choice", chance.choice)
        monkeypatch.setattr(timezone, "now", lambda: moment)
        monkeypatch.setattr(time, "time", moment.timestamp)
        with transaction.atomic():
            for item in batch.items.filter(pk__in=gold).select_related("topic", "document"):
                Planting.objects.create(item=item, purpose="gold", in_pool=True)
                GoldEvent.objects.create(
                    collection=collection, topic=item.topic, document=item.document, scale=batch.scale,
                    action="set", grade=4, accepted=[4],
                )  # fmt: skip
            result = walk(batch, annotator)
            transaction.set_rollback(True)
        return result

    ids = [item.pk for item in reserved]
    one, other, none = walk_with_gold(ids[:2]), walk_with_gold(ids[2:]), walk_with_gold([])
    assert len(one[0]) == 13
    assert one[0] == other[0] == none[0]
    assert comparable(one[1]) == comparable(other[1]) == comparable(none[1])
    assert not [sql for sql in one[1] if "goldevent" in sql or "planting" in sql]


def comparable(queries: list[str]) -> list[str]:
    """Queries without numbers (no id is given twice, savepoints are counted) and without the session's own."""
    return [re.sub(r"\b\d+\b|_x\d+", "n", sql) for sql in queries if "django_session" not in sql]


def test_who_misses_a_pair_by_a_moment_is_not_told_that_all_is_done() -> None:
    batch, _, _ = started()
    progress = {"mine": 1, "mine_session": 1, "batch_done": 1, "batch_total": 8}
    card = render_to_string(
        "annotation/judging/judge_finished_card.html", {"batch": batch, "why": "start", "progress": progress}
    )
    assert "That was the last one" not in card
    assert f'<a class="button primary" href="/judge/{batch.token}/">Look again</a>' in card
