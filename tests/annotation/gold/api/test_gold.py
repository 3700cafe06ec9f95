import pytest
from django.urls import reverse

from annotation.gold.steps.events import set_gold, withdraw_gold
from tests.annotation.callers import RESEARCH, caller, statuses
from tests.annotation.counting import queries_of
from tests.annotation.roles import People, make_people
from tests.factories import make_document, make_topic

pytestmark = pytest.mark.django_db

ADDRESS = reverse("api_gold", args=["bees"])


@pytest.fixture
def people() -> People:
    return make_people()


def add(people: People, number: str, grade: int, *, reason: str = "", explanation: str = "") -> None:
    topic, document = make_topic(people.collection, number), make_document(people.collection, f"d{number}")
    set_gold(
        people.collection,
        topic=topic,
        document=document,
        grade=grade,
        accepted=[],
        reason=reason,
        explanation=explanation,
        actor=None,
    )


def test_who_may(people: People) -> None:
    add(people, "1", 3)
    assert statuses(people, ADDRESS) == RESEARCH


def test_gold_as_it_stands(people: People) -> None:
    add(people, "1", 3, reason="between us", explanation="It says so.")
    add(people, "2", 0)
    topic = people.collection.topics.get(number="2")
    withdraw_gold(
        people.collection, topic=topic, document=people.collection.documents.get(docno="d2"), reason="-", actor=None
    )
    (row,) = caller(people.researcher).get(ADDRESS).json()["results"]
    assert row.pop("created_at").endswith("Z")
    assert row == {
        "number": "1", "docno": "d1", "grade": 3, "accepted": [3], "reason": "between us", "explanation": "It says so.",
    }  # fmt: skip


def test_queries_do_not_grow(people: People) -> None:
    client = caller(people.admin)
    add(people, "1", 1)
    one = queries_of(client, ADDRESS, 1)
    for number in "23":
        add(people, number, 1)
    assert queries_of(client, ADDRESS, 3) == one
