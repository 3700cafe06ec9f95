"""Contested pairs by the API: the queue, and one pair from the blind grade to the last word."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Adjudication, AuditEvent, Role
from tests.annotation.callers import RESEARCH, caller, statuses
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_member, make_user

pytestmark = pytest.mark.django_db
JSON = "application/json"
LIST, DECISIONS, PAIR = (reverse(f"api_{name}", args=["bees"]) for name in ("contested", "decisions", "pair"))
NEXT = reverse("api_pair_next", args=["bees"])
D3 = {"number": "1", "docno": "d3"}
ADMINS = {"admin": 200, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}


def started() -> tuple[People, Worked, Client]:
    people = make_people()
    worked = make_worked(people.collection)
    worked.fill()
    worked.judge("d3", "Amber", 0, comment="Only in the last line")
    return people, worked, caller(people.admin)


def do(client: Client, name: str, **entries: Any) -> tuple[int, dict[str, Any]]:
    answer = client.post(reverse(f"api_pair_{name}", args=["bees"]), D3 | entries, JSON)
    return answer.status_code, answer.json()


def test_who_may() -> None:
    people, _, _ = started()
    assert statuses(people, LIST) == statuses(people, DECISIONS) == RESEARCH
    assert statuses(people, f"{PAIR}?number=1&docno=d3") == ADMINS
    assert statuses(people, NEXT, "post") == ADMINS
    for name in ("open", "blind", "look", "leave", "decide", "withdraw"):
        client = caller(people.researcher)
        entries = {"grade": 1, "reason": "x", "based_on": 0}
        assert do(client, name, **entries)[0] == 403
        assert statuses(people, reverse(f"api_pair_{name}", args=["bees"]), "get")["admin"] == 405
    assert not Adjudication.objects.exists()


def test_the_queue_says_why_and_has_no_grade() -> None:
    people, worked, _ = started()
    client = caller(people.researcher)
    queue = client.get(LIST)
    assert [(row["docno"], row["why"], row["n_people"]) for row in queue.json()["results"]] == [
        ("d3", ["grades too far apart", "flagged"], 4),
        ("d4", ["too few reliable judgments"], 3),
        ("d5", ["too few reliable judgments"], 2),
        ("d1", ["wide range"], 4),
    ]
    assert "grade" not in queue.json()["results"][0]
    assert "Only in the last line" not in queue.text
    chosen = {"batch": worked.batch.token, "policy": "default v1", "reason": "few"}
    assert [row["docno"] for row in client.get(LIST, chosen).json()["results"]] == ["d4", "d5"]
    assert client.get(LIST, {"wide": 4}).json()["count"] == 3
    for wrong in ({"batch": "none"}, {"policy": "none v1"}, {"posterior": "default v1"}, {"below": 2}, {"wide": "x"}):
        answer = client.get(LIST, wrong)
        assert (answer.status_code, refused_fields(answer)) == (400, set(wrong))


def test_pairs_are_sent_to_the_queue() -> None:
    people, _, client = started()
    send = reverse("api_pairs_send", args=["bees"])
    entries = {"pairs": [D3 | {"docno": "d2"}, D3], "reason": "Two ways"}
    assert caller(people.researcher).post(send, entries, JSON).status_code == 403
    answers = [client.post(send, entries, JSON).json() for _ in range(2)]
    assert answers == [
        {"sent": 2, "already": 0, "decided": 0, "unfit": 0},
        {"sent": 0, "already": 2, "decided": 0, "unfit": 0},
    ]
    first, second = client.get(LIST).json()["results"][:2]
    assert [row["docno"] for row in (first, second)] == ["d3", "d2"]
    assert (second["sent_by"], second["sent_because"], second["sent_at"][:2]) == ("lead", "Two ways", "20")
    unknown = client.post(send, {"pairs": [D3 | {"docno": "nowhere"}], "reason": "x"}, JSON)
    assert (unknown.status_code, "1 with nothing to decide" in unknown.json()["detail"]) == (409, True)
    assert refused_fields(client.post(send, {"pairs": [], "reason": ""}, JSON)) == {"pairs", "reason"}


def test_nothing_that_people_said_is_told_before_the_own_grade() -> None:
    people, _, client = started()
    before = client.get(PAIR, D3)
    assert (before.json()["stage"], before.json()["said"], before.json()["own_grade"]) == ("blind", None, None)
    assert "Amber" not in before.text
    status, refused = do(client, "decide", grade=2, reason="It names it.", based_on=0)
    assert (status, refused["detail"]) == (409, "Give your own grade first; then you see what people said.")
    status, pair = do(client, "blind", grade=1)
    assert (status, pair["stage"], pair["own_grade"], pair["based_on"]) == (200, "decide", 1, 0)
    first = pair["said"]["judgments"][0]
    assert (first["annotator"], first["grade"], first["comment"]) == ("Amber", 0, "Only in the last line")
    assert pair["said"]["decisions"] == []
    second = caller(make_member(people.collection, make_user("second"), Role.ADMIN))
    other = second.get(PAIR, D3)
    assert (other.json()["stage"], other.json()["held_by"], other.json()["said"]) == ("held", "lead", None)
    assert do(second, "blind", grade=0)[0] == 409


def test_a_decision_has_a_reason_is_audited_and_can_be_taken_back() -> None:
    people, _, client = started()
    do(client, "blind", grade=1)
    status, refused = do(client, "decide", grade=2, based_on=0)
    assert (status, refused["errors"]) == (400, {"reason": ["This field is required."]})
    status, pair = do(client, "decide", grade=2, reason="It names it.", based_on=0)
    assert (status, pair["stage"], pair["based_on"]) == (200, "decided", 1)
    decision = Adjudication.objects.get()
    assert (decision.grade, decision.blind_grade, decision.knew, decision.created_by) == (2, 1, "", people.admin)
    assert [row["docno"] for row in client.get(LIST).json()["results"]] == ["d4", "d5", "d1"]
    (line,) = caller(people.researcher).get(DECISIONS).json()["results"]
    assert (line["docno"], line["grade"], line["blind_grade"], line["blind"], line["holds"]) == ("d3", 2, 1, True, True)
    assert do(client, "withdraw", reason="No.", based_on=0)[0] == 409
    assert do(client, "withdraw", reason="Read too fast.", based_on=1)[0] == 200
    assert do(client, "withdraw", reason="Again.", based_on=2)[1]["detail"] == "There is no decision to withdraw."
    verbs = AuditEvent.objects.filter(subject="topic 1, document d3").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["pair adjudicated", "decision withdrawn"]


def test_who_looks_first_is_marked_and_who_leaves_lets_others() -> None:
    people, _, client = started()
    assert do(client, "look")[1]["said"]["judgments"]
    assert do(client, "leave")[0] == 200
    second = caller(make_member(people.collection, make_user("second"), Role.ADMIN))
    assert do(second, "blind", grade=0)[0] == 200
    assert do(second, "leave")[0] == 200
    assert do(client, "decide", grade=2, reason="Seen.", based_on=0)[0] == 200
    assert (Adjudication.objects.get().knew, Adjudication.objects.get().blind_grade) == ("seen", None)


def test_what_is_not_there_is_refused() -> None:
    _, _, client = started()
    assert client.get(PAIR).status_code == 400
    assert client.get(PAIR, {"number": "1", "docno": "nowhere"}).status_code == 404
    status, refused = do(client, "blind", grade=9)
    assert (status, refused["detail"]) == (409, "The scale has no grade 9.")
    assert do(client, "blind", grade="high")[0] == 400
    assert do(client, "blind", docno="nowhere", grade=1)[0] == 404


def test_a_pair_is_had_to_oneself_and_the_queue_goes_on_to_the_next() -> None:
    people, _, client = started()
    other = caller(make_member(people.collection, make_user("second"), Role.ADMIN))
    first = client.post(NEXT, {}, JSON).json()
    assert (first["docno"], first["said"]) == ("d3", None)
    assert do(other, "open")[0] == 409
    assert [other.post(f"{NEXT}?reason=few", {}, JSON).json()["docno"] for _ in range(2)] == ["d4", "d4"]
    do(client, "leave")
    assert do(other, "open")[0] == 200
    assert client.post(f"{NEXT}?reason=no_grade", {}, JSON).status_code == 204


def test_the_next_of_the_queue_is_ones_own_until_it_is_left() -> None:
    people, _, client = started()
    address = reverse("api_pair_next", args=["bees"])
    other = caller(make_member(people.collection, role=Role.ADMIN))
    refused = {"researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
    assert {who: code for who, code in statuses(people, address, "post").items() if who != "admin"} == refused
    mine = client.post(address).json()
    assert (mine["docno"], mine["said"]) == ("d3", None)
    theirs = other.post(f"{address}?reason=few").json()
    assert theirs["docno"] == "d4"
    assert do(other, "open")[0] == 409
    assert do(client, "leave")[0] == 200
    assert (do(other, "open")[0], do(client, "open")[0]) == (200, 409)
    assert other.post(f"{address}?reason=cannot").status_code == 204
    assert other.post(f"{address}?reason=few&batch=nowhere").status_code == 400


def test_a_pair_of_a_list_is_opened() -> None:
    _, _, client = started()
    code, pair = do(client, "open")
    assert (code, pair["docno"], pair["said"]) == (200, "d3", None)
    assert client.get(PAIR, D3).json()["stage"] == pair["stage"]
    assert client.post(reverse("api_pair_open", args=["bees"]), {"number": "1"}, JSON).status_code == 400
