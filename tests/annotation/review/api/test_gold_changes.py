"""Gold by the API: set, corrected and withdrawn by hand, and taken from imported qrels."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.gold.read.current import current_gold
from annotation.models import AuditEvent, ExclusionEvent, GoldEvent, Pool, PoolPair, Rule
from annotation.trust.steps.exclusions import exclude_annotator
from tests.annotation.callers import caller, callers
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_document, make_snapshot, make_topic

pytestmark = pytest.mark.django_db
JSON = "application/json"
SET, WITHDRAW, QRELS = (reverse(f"api_gold_{name}", args=["bees"]) for name in ("set", "withdraw", "from_qrels"))
ADMINS = {"admin": 200, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
PAIR = {"number": "g", "docno": "G09"}


@pytest.fixture
def people() -> People:
    return make_people()


def beginning(people: People) -> tuple[Worked, Client]:
    return make_worked(people.collection), caller(people.admin)


def gold_of(people: People, docno: str) -> GoldEvent | None:
    return current_gold(people.collection).filter(document__docno=docno).first()


def test_who_may(people: People) -> None:
    make_topic(people.collection, "1"), make_document(people.collection, "d")
    snapshot = make_snapshot(people.collection, "1 0 d 2\n")
    clients = callers(people)
    pair = {"number": "1", "docno": "d"}
    deeds = ((SET, {**pair, "grade": 3}), (WITHDRAW, {**pair, "reason": "x"}), (QRELS, {"snapshot": snapshot.pk}))
    for address, wanted in deeds:
        assert {who: each.post(address, wanted, JSON).status_code for who, each in clients.items()} == ADMINS
    assert set(GoldEvent.objects.values_list("created_by__username", flat=True)) == {"lead"}


def test_what_touches_nobody_is_set_and_withdrawn_at_once(people: People) -> None:
    worked, admin = beginning(people)
    worked.add_item("new")
    pair = {"number": "1", "docno": "new"}
    wanted = {**pair, "grade": 2, "accepted": [1], "reason": "sure", "explanation": "It says so."}
    answer = admin.post(SET, wanted, JSON)
    assert (answer.status_code, answer.json()) == (
        200,
        {**pair, "grade": 2, "accepted": [1, 2], "n_rescored": 0, "brought_back": []},
    )
    event = gold_of(people, "new")
    assert event is not None
    assert (event.reason, event.explanation, event.created_by) == ("sure", "It says so.", people.admin)
    withdrawn = admin.post(WITHDRAW, {**pair, "reason": "not so sure"}, JSON).json()
    assert (withdrawn["grade"], gold_of(people, "new")) == (None, None)
    assert admin.post(WITHDRAW, {**pair, "reason": "again"}, JSON).status_code == 409
    verbs = AuditEvent.objects.filter(verb__startswith="gold", actor=people.admin).order_by("pk")
    assert list(verbs.values_list("verb", flat=True)) == ["gold set", "gold withdrawn"]


def test_a_correction_is_confirmed_first(people: People) -> None:
    _, admin = beginning(people)
    wanted, before = {**PAIR, "grade": 4, "reason": "misread"}, GoldEvent.objects.count()
    effect = admin.post(SET, {**wanted, "dry_run": True}, JSON).json()
    assert (effect["n_rescored"], effect["n_people"], effect["changed"], effect["freed"]) == (3, 3, ["Birch"], [])
    assert admin.post(SET, wanted, JSON).status_code == 409
    assert admin.post(SET, {**wanted, "seen": effect["seen"] - 1}, JSON).status_code == 409
    assert GoldEvent.objects.count() == before
    done = admin.post(SET, {**wanted, "seen": effect["seen"]}, JSON).json()
    assert (done["grade"], done["accepted"], done["n_rescored"]) == (4, [4], 3)
    assert admin.post(SET, {**wanted, "grade": 3, "seen": effect["seen"]}, JSON).status_code == 409
    event = gold_of(people, "G09")
    assert (event and event.grade) == 4


def test_a_withdrawal_is_confirmed_first(people: People) -> None:
    _, admin = beginning(people)
    wanted = {**PAIR, "reason": "doubtful"}
    seen = admin.post(WITHDRAW, {**wanted, "dry_run": True}, JSON).json()["seen"]
    assert admin.post(WITHDRAW, wanted, JSON).status_code == 409
    assert gold_of(people, "G09") is not None
    assert admin.post(WITHDRAW, {**wanted, "seen": seen}, JSON).json()["grade"] is None
    assert gold_of(people, "G09") is None


@pytest.mark.parametrize(("names", "back"), [(["Cedar"], True), ([], False)])
def test_whom_the_change_frees_comes_back_if_named(people: People, names: list[str], back: bool) -> None:
    worked, admin = beginning(people)
    exclude_annotator(worked.people["Cedar"], reason="The watch.", actor=None, rule=Rule.STOP)
    wanted = {"number": "g", "docno": "G11", "grade": 1, "accepted": [4]}
    effect = admin.post(SET, {**wanted, "dry_run": True}, JSON).json()
    assert effect["freed"] == ["Cedar"]
    wrong = admin.post(SET, {**wanted, "seen": effect["seen"], "bring_back": ["Dune"]}, JSON)
    assert (wrong.status_code, refused_fields(wrong)) == (400, {"bring_back"})
    done = admin.post(SET, {**wanted, "seen": effect["seen"], "bring_back": names}, JSON).json()
    assert done["brought_back"] == names
    assert (ExclusionEvent.objects.latest("pk").action == "reinstate") is back


@pytest.mark.both("refusals")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"number": "9"}, "number"),
        ({"docno": "none"}, "docno"),
        ({"grade": 5}, "grade"),
        ({"grade": "high"}, "grade"),
        ({"grade": None}, "grade"),
        ({"accepted": [7]}, "accepted"),
        ({"reason": "x" * 2001}, "reason"),
        ({"explanation": "x" * 2001}, "explanation"),
        ({"seen": "yes"}, "seen"),
    ],
)
def test_what_cannot_be_gold(people: People, change: dict[str, Any], field: str) -> None:
    _, admin = beginning(people)
    before = GoldEvent.objects.count()
    answer = admin.post(SET, {**PAIR, "grade": 3, **change}, JSON)
    assert (answer.status_code, refused_fields(answer)) == (400, {field})
    assert refused_fields(admin.post(WITHDRAW, PAIR, JSON)) == {"reason"}
    assert GoldEvent.objects.count() == before


def test_from_qrels_with_unlisted_pairs(people: People) -> None:
    topic = make_topic(people.collection, "1")
    a, b = make_document(people.collection, "a"), make_document(people.collection, "b")
    snapshot = make_snapshot(people.collection, "1 0 a 3\n1 0 lost 1\n")
    pool = Pool.objects.create(collection=people.collection, name="p")
    for rank, document in enumerate((a, b), 1):
        PoolPair.objects.create(pool=pool, topic=topic, document=document, rank=rank)
    admin = caller(people.admin)
    wanted = {"snapshot": snapshot.pk, "unlisted": "zero", "pool": pool.pk, "n_unlisted": 5, "seed": 1}
    assert admin.post(QRELS, wanted, JSON).json() == {
        "n_set": 2,
        "n_known": 0,
        "n_unlisted": 1,
        "n_unchanged": 0,
        "n_unknown": 1,
        "notes": [],
    }
    grades = current_gold(people.collection).order_by("document__docno").values_list("document__docno", "grade")
    assert list(grades) == [("a", 3), ("b", 0)]


def test_qrels_that_correct_are_taken_only_when_said_so(people: People) -> None:
    make_topic(people.collection, "1"), make_document(people.collection, "a")
    admin = caller(people.admin)
    admin.post(SET, {"number": "1", "docno": "a", "grade": 2}, JSON)
    wanted = {"snapshot": make_snapshot(people.collection, "1 0 a 3\n").pk}
    answer = admin.post(QRELS, wanted, JSON)
    assert (answer.status_code, refused_fields(answer)) == (400, {"snapshot"})
    assert admin.post(QRELS, {**wanted, "correct": True}, JSON).json()["n_known"] == 1
    event = gold_of(people, "a")
    assert (event and event.grade) == 3


@pytest.mark.both("refusals")
@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"snapshot": 10**30}, {"snapshot"}),
        ({"snapshot": None}, {"snapshot"}),
        ({"pool": 0, "unlisted": "zero", "n_unlisted": 1}, {"pool"}),
        ({"unlisted": "zero"}, {"pool", "n_unlisted"}),
        ({"unlisted": "some"}, {"unlisted"}),
        ({"per_grade": 0}, {"per_grade"}),
        ({"seed": -1}, {"seed"}),
    ],
)
def test_qrels_that_cannot_be_taken(people: People, change: dict[str, Any], fields: set[str]) -> None:
    snapshot = make_snapshot(people.collection, "1 0 a 3\n")
    answer = caller(people.admin).post(QRELS, {"snapshot": snapshot.pk, **change}, JSON)
    assert (answer.status_code, refused_fields(answer)) == (400, fields)
    assert not GoldEvent.objects.exists()


def test_qrels_of_another_collection_are_not_found(people: People) -> None:
    foreign = make_snapshot(people.outsider.memberships.get().collection, "1 0 a 3\n")
    answer = caller(people.admin).post(QRELS, {"snapshot": foreign.pk}, JSON)
    assert (answer.status_code, refused_fields(answer)) == (400, {"snapshot"})
