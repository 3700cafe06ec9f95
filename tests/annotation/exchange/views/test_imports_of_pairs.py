"""Pairs and gold by page: what becomes of them, and who may bring them."""

import pytest
from django.urls import reverse

from annotation.models import GoldEvent, Pool
from tests.annotation.exchange.views.test_imports import page, press, upload, work
from tests.annotation.roles import ADMINS_ONLY, People, make_people
from tests.factories import make_document, make_topic

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> People:
    return make_people()


def test_pairs_by_page_become_a_pool(people: People) -> None:
    make_topic(people.collection, "1")
    make_document(people.collection, "A")
    record = upload(people, "pairs", "1 A\n", who="researcher", name="first")
    work()
    assert not Pool.objects.exists()
    press(people, record, "publish", who="researcher")
    work()
    pool = Pool.objects.get()
    assert (pool.name, pool.n_pairs, pool.created_by) == ("first", 1, people.researcher)
    assert reverse("pools", args=["bees"]) in page(people, record)[1]
    late = upload(people, "pairs", "1 A\n1 B\n7 A\n", name="second")
    work()
    late.refresh_from_db()
    assert [(p["line"], p["reason"]) for p in late.problems] == [
        (2, "the collection has no document B"), (3, "the collection has no topic 7")
    ]  # fmt: skip


def test_gold_by_page_is_the_admins_to_bring(people: People) -> None:
    make_topic(people.collection, "1")
    make_document(people.collection, "A")
    assert people.statuses(reverse("import_new", args=["bees", "gold"])) == ADMINS_ONLY
    record = upload(people, "gold", "1\tA\t3\n")
    work()
    assert not GoldEvent.objects.exists()
    press(people, record, "publish")
    work()
    assert list(GoldEvent.objects.values_list("grade", "created_by")) == [(3, people.admin.pk)]
    late = upload(people, "gold", "1\tA\t3\n1\tB\t9\n")
    work()
    late.refresh_from_db()
    assert [(p["line"], p["reason"]) for p in late.problems] == [
        (2, "the collection has no document B"), (2, "the scale has no grade 9 (0 to 4)")
    ]  # fmt: skip
