"""Pools by the API: listed, read, made of pairs, deleted."""

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import AuditEvent, Pool, PoolPair
from tests.annotation.callers import RESEARCH, caller, callers, statuses
from tests.annotation.counting import queries_of
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people
from tests.factories import make_batch, make_document, make_topic

pytestmark = pytest.mark.django_db
JSON, LIST = "application/json", reverse("api_pools", args=["bees"])
PAIRS = [{"number": "1", "docno": "b"}, {"number": "2", "docno": "a"}, {"number": "1", "docno": "a"}]


@pytest.fixture
def people() -> People:
    people = make_people()
    for number in "12":
        make_topic(people.collection, number)
    for docno in "ab":
        make_document(people.collection, docno)
    return people


def one(pool: Pool) -> str:
    return reverse("api_pool", args=["bees", pool.pk])


def make_pool(people: People, name: str = "hand") -> Pool:
    return Pool.objects.create(collection=people.collection, name=name)


def test_who_may(people: People) -> None:
    pool = make_pool(people)
    assert statuses(people, LIST) == statuses(people, one(pool)) == RESEARCH
    clients = callers(people)
    status_of = {who: each.post(LIST, {"name": who, "pairs": PAIRS}, JSON).status_code for who, each in clients.items()}
    assert status_of == {"admin": 201, "researcher": 201, "annotator": 403, "outsider": 404, "anonymous": 401}
    del clients["admin"]
    gone = {who: each.delete(one(pool)).status_code for who, each in clients.items()}
    assert gone == {"researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
    assert set(Pool.objects.values_list("name", flat=True)) == {"hand", "admin", "researcher"}


def test_a_pool_of_another_collection_is_not_found(people: People) -> None:
    other = Pool.objects.create(collection=people.outsider.memberships.get().collection, name="theirs")
    admin = caller(people.admin)
    assert admin.get(one(other)).status_code == admin.delete(one(other)).status_code == 404
    assert Pool.objects.filter(pk=other.pk).exists()


def test_of_pairs_in_their_order(people: People) -> None:
    row = caller(people.researcher).post(LIST, {"name": "hand", "pairs": PAIRS}, JSON).json()
    assert (row["n_pairs"], row["n_batches"], row["origin"], row["created_by"]) == (
        *(3, 0, {"kind": "list"}, "researcher"),
    )
    assert [(topic["number"], topic["n_pairs"]) for topic in row["topics"]] == [("1", 2), ("2", 1)]
    pairs = PoolPair.objects.order_by("topic", "rank").values_list("topic__number", "document__docno", "rank")
    assert list(pairs) == [("1", "b", 1), ("1", "a", 2), ("2", "a", 1)]
    assert AuditEvent.objects.get(verb="pool created").actor == people.researcher
    assert "a list" in people.client("admin").get("/c/bees/pools/").text


@pytest.mark.both("refusals")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "taken"}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"pairs": []}, "pairs"),
        ({"pairs": [*PAIRS, PAIRS[0]]}, "pairs"),
        ({"pairs": [{"number": "9", "docno": "a"}]}, "pairs"),
        ({"pairs": [{"number": "1", "docno": "z"}]}, "pairs"),
        ({"pairs": [{"number": "1", "docno": "a b"}]}, "pairs"),
        ({"pairs": [{"number": "1"}]}, "pairs"),
        ({"pairs": [["1", "a"]]}, "pairs"),
    ],
)
def test_what_cannot_be_used(people: People, change: dict[str, Any], field: str) -> None:
    make_pool(people, "taken")
    answer = caller(people.admin).post(LIST, {"name": "hand", "pairs": PAIRS, **change}, JSON)
    assert (answer.status_code, refused_fields(answer)) == (400, {field})
    assert (Pool.objects.count(), PoolPair.objects.count()) == (1, 0)


def test_deleted_unless_a_batch_is_made_from_it(people: People) -> None:
    pool, used = make_pool(people), make_batch(people.collection, []).pool
    assert used is not None
    admin = caller(people.admin)
    assert (admin.delete(one(pool)).status_code, admin.delete(one(used)).status_code) == (204, 409)
    assert list(Pool.objects.all()) == [used]
    assert AuditEvent.objects.get(verb="pool deleted").actor == people.admin


def test_queries_do_not_grow(people: People) -> None:
    admin = caller(people.admin)
    make_pool(people, "one")
    first = queries_of(admin, LIST, 1)
    make_pool(people, "two"), make_pool(people, "three")
    assert queries_of(admin, LIST, 3) == first
