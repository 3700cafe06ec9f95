"""Qualification rounds by the API: made, filled with pairs, opened, closed, taken back, deleted."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.gold.steps.events import set_gold
from annotation.models import AuditEvent, Collection, Qualification, QualificationItem
from tests.annotation.callers import RESEARCH, caller, callers, statuses
from tests.annotation.counting import queries_of
from tests.annotation.qualified import go_through, make_round, place_in
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people
from tests.factories import make_annotator, make_batch, make_document, make_topic

pytestmark = pytest.mark.django_db
JSON, LIST = "application/json", reverse("api_qualifications", args=["bees"])
ADMINS = {"admin": 200, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
OTHERS = {who: status for who, status in ADMINS.items() if who != "admin"}


@pytest.fixture
def people() -> People:
    return make_people()


def at(qualification: Qualification, deed: str = "", item: str = "") -> str:
    name = "_".join(filter(None, ["api_qualification", deed]))
    return reverse(name, args=["bees", qualification.token, *filter(None, [item])])


def docnos(row: dict[str, Any]) -> list[str]:
    return [pair["docno"] for pair in row["pairs"]]


def drafted(people: People) -> tuple[Qualification, list[QualificationItem], Client]:
    qualification = make_round(people.collection, is_open=False)
    return qualification, list(qualification.items.order_by("position")), caller(people.admin)


def test_who_reads(people: People) -> None:
    qualification, _, _ = drafted(people)
    assert statuses(people, LIST) == statuses(people, at(qualification)) == RESEARCH


def test_who_changes(people: People) -> None:
    qualification, (pair, *_), _ = drafted(people)
    clients = {who: client for who, client in callers(people).items() if who != "admin"}
    posts = [
        LIST,
        *(at(qualification, deed) for deed in ("open", "close", "redraft", "pairs", "gold")),
        at(qualification, "pair_move", pair.token),
    ]
    before = list(QualificationItem.objects.order_by("pk").values())
    for address in posts:
        assert {who: each.post(address, {"name": "x"}, JSON).status_code for who, each in clients.items()} == OTHERS
    for address in (at(qualification), at(qualification, "pair", pair.token)):
        assert {who: each.patch(address, {"name": "x"}, JSON).status_code for who, each in clients.items()} == OTHERS
        assert {who: each.delete(address).status_code for who, each in clients.items()} == OTHERS
    qualification.refresh_from_db()
    assert (qualification.state, qualification.name, Qualification.objects.count()) == ("draft", "Basics", 1)
    assert list(QualificationItem.objects.order_by("pk").values()) == before


def test_what_is_elsewhere_is_not_found(people: People) -> None:
    theirs = make_round(Collection.objects.exclude(slug="bees").get(), prefix="x")
    mine, _, admin = drafted(people)
    foreign = theirs.items.earliest("pk").token
    assert admin.get(at(theirs)).status_code == admin.delete(at(theirs)).status_code == 404
    assert admin.patch(at(mine, "pair", foreign), {"hint": "x"}, JSON).status_code == 404
    assert admin.delete(at(mine, "pair", foreign)).status_code == 404
    assert theirs.items.count() == 3


def test_from_draft_to_closed_and_back(people: People) -> None:
    make_topic(people.collection, "T1"), make_document(people.collection, "D1")
    admin = caller(people.admin)
    row = admin.post(LIST, {"name": "First", "pass_mark": 0.57, "most_attempts": 3}, JSON).json()
    qualification = Qualification.objects.get()
    assert (qualification.pass_mark, qualification.most_attempts) == (0.57, 3)
    assert (row["token"], row["state"]) == (qualification.token, "draft")
    assert admin.post(at(qualification, "open")).status_code == 409
    pair = {"number": "T1", "docno": "D1", "accepted": [3, 2], "hint": "Look.", "explanation": "Because."}
    answer = admin.post(at(qualification, "pairs"), pair, JSON)
    (added,) = answer.json()["pairs"]
    assert (answer.status_code, added["accepted"], added["hint"], added["explanation"]) == (
        *(201, [2, 3], "Look.", "Because."),
    )
    assert admin.post(at(qualification, "pairs"), pair, JSON).status_code == 409
    for deed, state in (("open", "open"), ("close", "closed"), ("open", "open"), ("redraft", "draft")):
        assert admin.post(at(qualification, deed)).json()["state"] == state
    assert admin.post(at(qualification, "close")).status_code == 409
    assert admin.delete(at(qualification)).status_code == 204
    verbs = AuditEvent.objects.filter(actor=people.admin, verb__startswith="qualification").order_by("pk")
    assert [verb.removeprefix("qualification ") for verb in verbs.values_list("verb", flat=True)] == [
        *("drafted", "opened", "closed", "opened", "taken back", "deleted")
    ]


def test_settings_that_are_not_sent_stay(people: People) -> None:
    qualification = make_round(people.collection, pass_mark=0.35)
    row = caller(people.admin).patch(at(qualification), {"most_attempts": 0}, JSON).json()
    assert (row["name"], row["pass_mark"], row["most_attempts"], row["state"]) == ("Basics", 0.35, 0, "open")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "Taken"}, "name"),
        ({"pass_mark": 70}, "pass_mark"),
        ({"pass_mark": -0.1}, "pass_mark"),
        ({"most_attempts": -1}, "most_attempts"),
        ({"most_attempts": 101}, "most_attempts"),
    ],
)
def test_settings_that_cannot_be(people: People, change: dict[str, Any], field: str) -> None:
    make_round(people.collection, name="Taken")
    qualification = make_round(people.collection, accepted=[], name="Mine")
    admin = caller(people.admin)
    for answer in (admin.post(LIST, {"name": "New", **change}, JSON), admin.patch(at(qualification), change, JSON)):
        assert (answer.status_code, refused_fields(answer)) == (400, {field})
    assert set(Qualification.objects.values_list("name", "pass_mark")) == {("Taken", 0.7), ("Mine", 0.7)}


def test_pairs_are_changed_moved_and_removed(people: People) -> None:
    qualification, (first, second, third), admin = drafted(people)
    row = admin.patch(at(qualification, "pair", first.token), {"accepted": [4, 1]}, JSON).json()
    assert (row["pairs"][0]["accepted"], row["pairs"][0]["hint"]) == ([1, 4], "Hint 1")
    for pair in (third, first):
        row = admin.post(at(qualification, "pair_move", pair.token), {"step": "up"}, JSON).json()
        assert docnos(row) == ["QD1", "QD3", "QD2"]
    assert refused_fields(admin.post(at(qualification, "pair_move", first.token), {"step": "left"}, JSON)) == {"step"}
    assert docnos(admin.delete(at(qualification, "pair", second.token)).json()) == ["QD1", "QD3"]


@pytest.mark.both("refusals")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"number": "T9"}, "number"),
        ({"docno": "D9"}, "docno"),
        ({"accepted": []}, "accepted"),
        ({"accepted": [5]}, "accepted"),
        ({"accepted": None}, "accepted"),
        ({"hint": "x" * 5001}, "hint"),
    ],
)
def test_pairs_that_cannot_be(people: People, change: dict[str, Any], field: str) -> None:
    make_topic(people.collection, "T1"), make_document(people.collection, "D1")
    qualification, _, admin = drafted(people)
    answer = admin.post(at(qualification, "pairs"), {"number": "T1", "docno": "D1", "accepted": [1], **change}, JSON)
    assert (answer.status_code, refused_fields(answer)) == (400, {field})
    assert qualification.items.count() == 3


def test_an_open_round_stands_still(people: People) -> None:
    qualification = make_round(people.collection)
    pair, admin = qualification.items.earliest("pk").token, caller(people.admin)
    make_topic(people.collection, "T1"), make_document(people.collection, "D1")
    added = admin.post(at(qualification, "pairs"), {"number": "T1", "docno": "D1", "accepted": [1]}, JSON)
    moved = admin.post(at(qualification, "pair_move", pair), {"step": "down"}, JSON)
    changed = admin.patch(at(qualification, "pair", pair), {"hint": "x"}, JSON)
    gone = admin.delete(at(qualification, "pair", pair))
    assert {added.status_code, moved.status_code, changed.status_code, gone.status_code} == {409}
    assert admin.delete(at(qualification)).status_code == 409
    assert docnos(admin.get(at(qualification)).json()) == ["QD1", "QD2", "QD3"]


def test_pairs_from_gold(people: People) -> None:
    topic, document = make_topic(people.collection, "T1"), make_document(people.collection, "D1")
    set_gold(
        *(people.collection,),
        topic=topic, document=document, grade=3, accepted=[2], reason="", explanation="It says so.", actor=None,
    )  # fmt: skip
    qualification, _, admin = drafted(people)
    chosen = {"pairs": [{"number": "T1", "docno": "D1"}]}
    row = admin.post(at(qualification, "gold"), chosen, JSON).json()
    assert (docnos(row)[-1], row["pairs"][-1]["accepted"], row["pairs"][-1]["explanation"]) == (
        *("D1", [2, 3], "It says so."),
    )
    wrongs: list[dict[str, Any]] = [chosen, {"pairs": []}, {"pairs": [{"number": "T1", "docno": "none"}]}, {}]
    for wrong in wrongs:
        answer = admin.post(at(qualification, "gold"), wrong, JSON)
        assert (answer.status_code, refused_fields(answer)) == (400, {"pairs"})


def test_how_people_fared(people: People) -> None:
    qualification = make_round(people.collection)
    annotator = make_annotator(people.collection, pseudonym="Birch")
    batch = make_batch(people.collection, [annotator], qualification=qualification, name="first")
    go_through(place_in(batch, annotator), [0, 2, 0])
    row = caller(people.researcher).get(at(qualification)).json()
    (person,) = row["people"]
    assert (person["annotator"], person["has_passed"], person["tries_left"]) == ("Birch", False, 1)
    assert person["tries"] == [{"number": 1, "n_right": 2, "n_answers": 3, "passed": False}]
    assert [(pair["n_answers"], pair["n_right"]) for pair in row["pairs"]] == [(1, 1), (1, 1), (1, 0)]
    assert row["batches"] == ["first"]
    (line,) = caller(people.researcher).get(LIST).json()["results"]
    assert (line["n_pairs"], line["n_people"], line["n_passed"]) == (3, 1, 0)


def test_queries_do_not_grow(people: People) -> None:
    client = caller(people.admin)
    make_round(people.collection, prefix="a")
    one = queries_of(client, LIST, 1)
    make_round(people.collection, prefix="b", name="B"), make_round(people.collection, prefix="c", name="C")
    assert queries_of(client, LIST, 3) == one
