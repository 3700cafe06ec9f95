"""Judging by a program: what the page does, state by state, with the tokens of the cards."""

import secrets
import time
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.judging.steps import tally
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    GoldEvent,
    Judgment,
    Participation,
    Planting,
    Role,
    Slot,
    WorkSession,
)
from annotation.trust.steps.pausing import pause_annotator
from tests.annotation.callers import caller, send
from tests.annotation.counting import queries_of
from tests.annotation.judging.views.test_judge import comparable
from tests.annotation.refused_fields import refused_fields
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

LIST = reverse("api_judging")
STATEMENTS = 22
BESIDE_A_CARD = ("document", "guideline")
DEEDS = ("next", "grade", "skip", "later", "undo", "keep", "heartbeat", "release")


class Judge:
    """A program of a person who judges in a batch."""

    def __init__(self, batch: Batch, annotator: Annotator) -> None:
        assert annotator.user is not None
        self.client, self.batch = caller(annotator.user), batch

    def do(self, deed: str, **body: Any) -> Any:
        return send(self.client, "post", self.address(deed), body)

    def look(self) -> Any:
        return self.client.get(self.address("")).json()

    def address(self, deed: str) -> str:
        return reverse("_".join(filter(None, ("api_judge", deed))), args=[self.batch.token])


def started(**settings: Any) -> tuple[Batch, Annotator, Judge, str]:
    """With the token of the first card."""
    collection = make_collection()
    annotator = make_annotator(collection)
    batch = make_batch(collection, [annotator], **settings)
    judge = Judge(batch, annotator)
    return batch, annotator, judge, judge.do("next").json()["cards"][0]["token"]


@pytest.mark.parametrize("deed", DEEDS)
def test_only_the_participant_judges_and_only_by_post(deed: str) -> None:
    batch, _annotator, judge, token = started()
    address, body = judge.address(deed), {"token": token, "grade": 1, "reason": "other"}
    others = [make_member(batch.collection, role=Role.ADMIN), make_annotator(batch.collection).user, make_user()]
    assert [send(caller(each), "post", address, body).status_code for each in others if each] == [404] * 3
    assert send(Client(), "post", address, body).status_code == 401
    assert judge.client.get(address).status_code == 405
    assert not Judgment.objects.exists()


def test_ones_own_batches_are_listed_and_nobody_elses() -> None:
    batch, _annotator, judge, _ = started(minimum_seconds=5)
    make_batch(batch.collection, [make_annotator(batch.collection)])
    (row,) = judge.client.get(LIST).json()["results"]
    assert (row["token"], row["has_cards"], row["minimum_seconds"]) == (batch.token, True, 5)
    assert [step["grade"] for step in row["scale"]] == [0, 1, 2, 3, 4]
    assert set(row["skip_reasons"]) == set(Assignment.SkipReason.values)
    whole = judge.client.get(row["url"]).json()
    assert {**whole["batch"], "has_cards": True} == row
    Batch.objects.update(state="closed")
    assert judge.client.get(LIST).json()["results"] == []


def test_looking_claims_nothing_and_next_does() -> None:
    collection = make_collection()
    annotator = make_annotator(collection)
    judge = Judge(make_batch(collection, [annotator]), annotator)
    assert (judge.look()["state"], judge.look()["cards"], Assignment.objects.count()) == ("start", [], 0)
    answer = judge.do("next")
    assert (answer.status_code, answer.json()["state"], Assignment.objects.count()) == (200, "card", 1)
    again = judge.do("next").json()["cards"]
    assert [card["token"] for card in again] == [card["token"] for card in answer.json()["cards"]]
    assert len(judge.do("next", ahead=True, page="a1").json()["cards"]) == 2


def test_a_card_has_its_texts_and_neither_ids_nor_document_numbers() -> None:
    collection = make_collection()
    annotator = make_annotator(collection)
    batch = make_batch(collection, [annotator], n_documents=0)
    topic = make_topic(collection, "7", title="Bees", description="In winter", narrative="At length")
    document = make_document(collection, "SECRET-77", title="Hive", text="<b>Bees</b> in winter.")
    item = make_item(batch, topic, document)
    answer = Judge(batch, annotator).do("next")
    (card,) = answer.json()["cards"]
    assert card["topic"] == {"number": "7", "title": "Bees", "description": "In winter", "narrative": "At length"}
    assert (card["document"]["title"], card["document"]["text"]) == ("Hive", "<b>Bees</b> in winter.")
    assert "<b>" not in card["document"]["html"]
    assert (card["is_revision"], card["grade"], card["floor_ms"]) == (False, None, 0)
    assert "SECRET-77" not in answer.text
    assert item.token not in answer.text


def test_a_grade_is_stored_and_answered_with_the_next_card() -> None:
    _batch, _annotator, judge, token = started()
    sent = {"token": token, "grade": 3, "comment": " Clear. ", "active_ms": 10, "wall_ms": 20}
    answer = judge.do("grade", **sent, evidence_start=0, evidence_end=4)
    body = answer.json()
    assert (answer.status_code, body["state"], len(body["cards"])) == (200, "card", 1)
    assert body["result"] == {
        "outcome": "saved",
        "about": token,
        "text": "Saved: 3 Highly relevant",
        "saved": {"grade": 3, "name": "Highly relevant"},
    }
    assert body["cards"][0]["token"] != token
    judgment = Judgment.objects.get()
    assert (judgment.grade, judgment.comment, judgment.evidence_end, judgment.token) == (3, "Clear.", 4, token)
    assert (body["progress"]["mine"], body["progress"]["undo_available"]) == (1, True)


def test_the_same_grade_again_is_answered_as_the_first_time() -> None:
    _, _, judge, token = started()
    first = judge.do("grade", token=token, grade=3).json()
    again = judge.do("grade", token=token, grade=3).json()
    assert (first["result"]["outcome"], again["result"]["outcome"]) == ("saved", "replayed")
    assert [card["token"] for card in again["cards"]] == [card["token"] for card in first["cards"]]
    assert Judgment.objects.count() == 1


@pytest.mark.both("locks")
def test_another_grade_is_asked_about_and_changed_on_request() -> None:
    _, _, judge, token = started()
    judge.do("grade", token=token, grade=3)
    asked = judge.do("grade", token=token, grade=1)
    body = asked.json()
    assert (asked["Content-Type"], body["status"]) == ("application/problem+json", 409)
    assert (asked.status_code, body["given"]["grade"], body["asked"]["grade"]) == (409, 3, 1)
    assert body["card"]["token"] == body["token"] != token
    assert Judgment.objects.count() == 1
    assert judge.do("grade", token=body["token"], grade=1).json()["result"]["outcome"] == "saved"
    assert list(Judgment.objects.order_by("revision").values_list("grade", flat=True)) == [3, 1]


REFUSED: list[tuple[str, dict[str, Any], set[str]]] = [
    ("grade", {"grade": 5}, {"grade"}),
    ("grade", {"grade": "two"}, {"grade"}),
    ("grade", {"grade": 1, "token": ""}, {"token"}),
    ("grade", {"grade": 1, "evidence_start": 0, "evidence_end": 999}, {"evidence_end"}),
    ("grade", {"grade": 1, "active_ms": -1}, {"active_ms"}),
    ("grade", {"grade": 1, "page": "A page!"}, {"page"}),
    ("skip", {"reason": "bored"}, {"reason"}),
    ("skip", {"reason": "other", "note": "x\x00"}, {"note"}),
    ("later", {"token": "x" * 23}, {"token"}),
    ("heartbeat", {"token": ""}, {"token"}),
]


@pytest.mark.both("locks")
@pytest.mark.parametrize(("deed", "body", "fields"), REFUSED)
def test_what_cannot_be_is_refused_by_field(deed: str, body: dict[str, Any], fields: set[str]) -> None:
    _, _, judge, token = started()
    answer = judge.do(deed, **{"token": token, **body})
    assert (answer.status_code, refused_fields(answer)) == (400, fields)
    assert not Judgment.objects.exists()
    assert Assignment.objects.get().state == "leased"


@pytest.mark.parametrize("deed", ["grade", "skip", "later", "undo", "release"])
def test_a_card_of_somebody_else_is_not_found(deed: str) -> None:
    _batch, _, judge, _ = started()
    _, _, _, foreign = started()
    for token in (foreign, "x" * 22):
        assert judge.do(deed, token=token, grade=1, reason="other").status_code == 404
    assert not Judgment.objects.exists()


@pytest.mark.both("locks")
def test_undo_opens_the_last_card_and_keep_goes_on() -> None:
    _, _, judge, token = started()
    following = judge.do("grade", token=token, grade=4).json()["cards"][0]["token"]
    undone = judge.do("undo").json()
    assert (undone["cards"][0]["is_revision"], undone["cards"][0]["grade"]) == (True, 4)
    kept = judge.do("keep").json()
    assert (kept["result"]["text"].startswith("Kept: 4"), kept["cards"][0]["token"]) == (True, following)
    assert judge.do("keep").json()["result"]["text"] == ""
    (recent,) = judge.client.get(judge.address("recent")).json()["results"]
    assert (recent["token"], recent["grade"], recent["may_change"]) == (token, 4, True)
    assert judge.do("undo", token=token).json()["cards"][0]["grade"] == 4


def test_there_is_nothing_to_undo_at_first() -> None:
    _, _, judge, _ = started()
    assert judge.do("undo").json()["result"]["outcome"] == "refused"


@pytest.mark.both("locks")
def test_a_card_is_skipped_with_a_reason_or_put_off() -> None:
    _, _, judge, token = started()
    later = judge.do("skip", token=token, reason="broken", note="It is empty.").json()["cards"][0]["token"]
    skipped = Assignment.objects.get(state="skipped")
    assert (skipped.skip_reason, skipped.skip_note) == ("broken", "It is empty.")
    answer = judge.do("later", token=later).json()
    assert (answer["result"]["about"], answer["cards"][0]["token"] != later) == (later, True)
    assert Assignment.objects.filter(state="later").count() == 1


def test_a_skipped_card_is_not_graded_any_more() -> None:
    _, _, judge, token = started()
    judge.do("skip", token=token, reason="other")
    assert judge.do("grade", token=token, grade=1).json()["result"]["outcome"] == "refused"
    assert not Judgment.objects.exists()


def test_a_heartbeat_says_whether_the_card_is_still_held() -> None:
    _, _, judge, token = started()
    assert judge.do("heartbeat", token=token).status_code == 204
    Slot.objects.filter(state="leased").update(lease_until=timezone.now() - timedelta(minutes=1))
    Assignment.objects.update(slot=None, state="expired")
    assert judge.do("heartbeat", token=token).status_code == 410


def test_a_card_that_was_fetched_ahead_goes_back() -> None:
    _, _, judge, _ = started()
    ahead = judge.do("next", ahead=True, page="a1").json()["cards"][1]["token"]
    assert judge.do("release", token=ahead, page="a1").status_code == 204
    assert Assignment.objects.filter(state="leased").count() == 1


@pytest.mark.parametrize(("ahead", "n"), [(5, 6), (0, 1), (True, 2), (False, 1)])
def test_as_many_are_fetched_ahead_as_are_asked_for_and_go_back_together(*, ahead: int, n: int) -> None:
    """A program of before says `true` for one."""
    _, _, judge, _ = started(n_documents=12)
    tokens = [card["token"] for card in judge.do("next", ahead=ahead, page="a1").json()["cards"]]
    assert len(tokens) == n
    assert judge.do("release", token=",".join(tokens), page="a1").status_code == 204
    assert Assignment.objects.filter(state="leased").count() == 1


def test_more_ahead_than_there_may_be_is_refused() -> None:
    _, _, judge, _ = started()
    for ahead in (6, -1, "many"):
        answer = judge.do("next", ahead=ahead)
        assert (answer.status_code, refused_fields(answer)) == (400, {"ahead"})


def test_a_person_taken_off_hands_in_what_was_open_and_no_more() -> None:
    batch, _, judge, token = started()
    batch.participations.update(is_active=False)
    answer = judge.do("grade", token=token, grade=3)
    assert (answer.status_code, answer.json()["state"], answer.json()["cards"]) == (200, "closed", [])
    assert judge.do("next").status_code == 404
    assert Judgment.objects.get().grade == 3


@pytest.mark.both("locks")
def test_a_break_keeps_the_grade_and_says_when_it_ends() -> None:
    _, annotator, judge, token = started(session_minutes=50, break_minutes=10)
    WorkSession.objects.update(started_at=timezone.now() - timedelta(minutes=51))
    answer = judge.do("grade", token=token, grade=2).json()
    assert (answer["state"], answer["result"]["outcome"], answer["cards"]) == ("break", "saved", [])
    assert answer["session"]["resumes_at"].endswith("Z")
    assert judge.do("next").json()["state"] == "break"
    assert not Assignment.objects.filter(annotator=annotator, state="leased").exists()


def test_the_other_states_in_which_there_is_no_card() -> None:
    batch, annotator, judge, token = started(n_documents=1, judgments_per_item=1)
    other = make_annotator(batch.collection)
    Participation.objects.create(batch=batch, annotator=other, salt=5)
    assert Judge(batch, other).do("next").json()["state"] == "waiting"
    assert judge.do("grade", token=token, grade=2).json()["state"] == "done"
    Batch.objects.update(state="paused")
    assert judge.do("next").json()["state"] == "paused"
    Batch.objects.update(state="closed")
    assert judge.do("next").json()["state"] == "closed"
    Batch.objects.update(state="open")
    pause_annotator(annotator, reason="Too fast", told="Write to us.", actor=None)
    body = judge.do("next").json()
    assert (body["state"], body["pause"]) == ("held", {"pause_message": "Write to us.", "pause_note": ""})


def walk(judge: Judge) -> tuple[list[bytes], list[str]]:
    """Judge to the end; every byte and header that came back, and every query that was made for it."""
    judge.client.defaults["HTTP_X_REQUEST_ID"] = "walk"  # else each answer has an id made at random
    received: list[bytes] = []
    with CaptureQueriesContext(connection) as queries:
        answer = judge.do("next", ahead=True, page="a1")
        while True:
            received.append(repr(sorted(answer.headers.items())).encode() + answer.content)
            cards = answer.json()["cards"]
            if not cards:
                break
            token = cards[0]["token"]
            received += [judge.client.get(judge.address(each), {"token": token}).content for each in BESIDE_A_CARD]
            answer = judge.do("grade", token=token, grade=2, ahead=True, page="a1")
        received.append(judge.client.get(judge.address("recent")).content)
    return received, [query["sql"] for query in queries.captured_queries]


def test_which_laid_out_pairs_are_gold_changes_not_a_byte_nor_a_query(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for the page: the same layout, rolled back in between; other pairs are gold the second time."""
    collection = make_collection()
    annotator = make_annotator(collection)
    batch = make_batch(collection, [annotator], n_topics=2, n_documents=6, judgments_per_item=1)
    reserved = list(batch.items.order_by("id")[::3])
    Slot.objects.filter(item__in=reserved).update(reserved_for=annotator, due=1)
    moment, judge = timezone.now(), Judge(batch, annotator)

    def walk_with_gold(gold: list[int]) -> tuple[list[bytes], list[str]]:
        chance = Random(5)
        monkeypatch.setattr(tally, "RECOUNT_AFTER", -1.0)
        monkeypatch.setattr(secrets, "token_urlsafe", lambda n=16: f"{chance.getrandbits(128):032x}"[:22])
        monkeypatch.setattr(timezone, "now", lambda: moment)
        monkeypatch.setattr(time, "time", moment.timestamp)
        with transaction.atomic():
            for item in batch.items.filter(pk__in=gold).select_related("topic", "document"):
                Planting.objects.create(item=item, purpose="gold", in_pool=True)
                GoldEvent.objects.create(
                    collection=collection, topic=item.topic, document=item.document, scale=batch.scale,
                    action="set", grade=4, accepted=[4],
                )  # fmt: skip
            result = walk(judge)
            transaction.set_rollback(True)
        return result

    ids = [item.pk for item in reserved]
    one, other, none = walk_with_gold(ids[:2]), walk_with_gold(ids[2:]), walk_with_gold([])
    assert len(one[0]) == 1 + 12 * 3 + 1
    assert one[0] == other[0] == none[0]
    assert comparable(one[1]) == comparable(other[1]) == comparable(none[1])
    assert not [sql for sql in one[1] if "goldevent" in sql or "planting" in sql]


@pytest.mark.parametrize("n_documents", [5, 40])
def test_a_grade_takes_so_many_statements_whatever_the_batch(n_documents: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by the page; of the token and of the person one each, and the texts of both cards."""
    _, _, judge, token = started(n_documents=n_documents)
    second = judge.do("grade", token=token, grade=1, ahead=True).json()["cards"][0]["token"]
    monkeypatch.setattr(tally, "RECOUNT_AFTER", -1.0)
    with CaptureQueriesContext(connection) as queries:
        answer = judge.do("grade", token=second, grade=1, ahead=True)
    assert len(answer.json()["cards"]) == 2
    assert len(queries) == STATEMENTS


@pytest.mark.both("locks")
def test_the_list_of_batches_takes_as_many_queries_for_three_as_for_one() -> None:
    collection = make_collection()
    annotator = make_annotator(collection)
    assert annotator.user is not None
    counts = []
    for n in (1, 3):
        while Batch.objects.count() < n:
            make_batch(collection, [annotator])
        counts.append(queries_of(caller(annotator.user), LIST, n))
    assert counts[0] == counts[1]
