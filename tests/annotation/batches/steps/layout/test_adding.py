"""Slots added to a batch that stands: as many as there is room for, whoever else adds, and claimed as any other."""

import threading
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from annotation.batches.steps.batches import close_batch, open_batch, reopen_batch
from annotation.batches.steps.layout import AddingError, add_slots, lay_out
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import Recorded, record_judgment
from annotation.models import AuditEvent, Batch, Item, Planting, Slot
from tests.annotation.campaign import make_campaign
from tests.factories import make_annotator, make_batch, make_collection

pytestmark = pytest.mark.both("locks")

NOW = timezone.now()


def small_batch(n_people: int = 1, **settings: Any) -> Batch:
    collection = make_collection()
    return make_batch(collection, [make_annotator(collection) for _ in range(n_people)], n_documents=2, **settings)


def numbers(item: Item) -> list[int]:
    return list(Slot.objects.filter(item=item).order_by("n").values_list("n", flat=True))


@pytest.mark.django_db
def test_slots_are_numbered_on_and_expected() -> None:
    batch = small_batch()
    one, two = batch.items.order_by("pk")
    added = add_slots(batch, {one.pk: 2, two.pk: 1}, most=5, reason="wanted", actor=None)
    assert (added.n_slots, added.n_items, added.n_of) == (3, 2, {one.pk: 2, two.pk: 1})
    assert (numbers(one), numbers(two)) == ([0, 1, 2, 3], [0, 1, 2])
    batch.refresh_from_db()
    assert batch.n_expected == 4 + 3
    event = AuditEvent.objects.get(verb="slots added")
    assert (event.subject, event.detail) == (batch.name, {"slots": 3, "items": 2, "reason": "wanted"})


@pytest.mark.django_db
@pytest.mark.parametrize(("most", "n"), [(1, 2), (2, 2), (3, 3), (9, 6)])
def test_no_item_has_more_than_the_most(most: int, n: int) -> None:
    batch = small_batch()
    one, two = batch.items.order_by("pk")
    add_slots(batch, {one.pk: 4}, most=most, reason="wanted", actor=None)
    assert (len(numbers(one)), len(numbers(two))) == (n, 2)


@pytest.mark.django_db
def test_a_step_run_again_adds_only_what_is_missing() -> None:
    batch = small_batch()
    one, two = batch.items.order_by("pk")
    add_slots(batch, {one.pk: 2}, most={one.pk: 4}, reason="wanted", actor=None)
    again = add_slots(batch, {one.pk: 2, two.pk: 2}, most={one.pk: 4, two.pk: 3}, reason="wanted", actor=None)
    assert again.n_of == {two.pk: 1}
    assert add_slots(batch, {one.pk: 2}, most={}, reason="wanted", actor=None).n_slots == 0
    assert AuditEvent.objects.filter(verb="slots added").count() == 2


@pytest.mark.django_db
def test_gold_withheld_items_and_those_of_other_batches_get_none() -> None:
    batch, other = small_batch(), small_batch()
    gold, withheld = batch.items.order_by("pk")
    Planting.objects.create(item=gold, purpose=Planting.Purpose.GOLD)
    Item.objects.filter(pk=withheld.pk).update(withheld=True)
    foreign = other.items.order_by("pk")[0]
    added = add_slots(batch, {gold.pk: 1, withheld.pk: 1, foreign.pk: 1}, most=9, reason="wanted", actor=None)
    assert (added.n_slots, Slot.objects.count(), AuditEvent.objects.count()) == (0, 8, 0)


@pytest.mark.django_db
def test_second_readings_leave_their_room() -> None:
    batch = small_batch()
    one = batch.items.order_by("pk")[0]
    Slot.objects.create(
        collection=batch.collection, batch=batch, item=one, n=2, block=0, reading=2,
        reserved_for=batch.participations.get().annotator, due=1,
    )  # fmt: skip
    add_slots(batch, {one.pk: 5}, most=3, reason="wanted", actor=None)
    assert numbers(one) == [0, 1, 2, 3]


@pytest.mark.django_db
@pytest.mark.parametrize("state", [Batch.State.DRAFT, Batch.State.CLOSED, Batch.State.IMPORTING])
def test_a_batch_that_is_no_more_or_not_yet_at_work_gets_none(state: Batch.State) -> None:
    batch = small_batch(state=state)
    with pytest.raises(AddingError):
        add_slots(batch, {batch.items.order_by("pk")[0].pk: 1}, most=9, reason="wanted", actor=None)
    assert Slot.objects.count() == 4


@pytest.mark.django_db
def test_a_closed_batch_gets_them_once_it_is_reopened() -> None:
    batch = small_batch()
    close_batch(batch, actor=None)
    reopen_batch(batch, actor=None)
    assert add_slots(batch, {batch.items.order_by("pk")[0].pk: 1}, most=9, reason="wanted", actor=None).n_slots == 1


@pytest.mark.django_db
def test_who_has_not_met_the_item_is_handed_an_added_slot() -> None:
    batch = small_batch(n_people=2, judgments_per_item=1)
    one, two = batch.participations.order_by("pk")
    while card := claim_next(one, moment=NOW):
        record_judgment(one, token=card.token, grade=1, moment=NOW)
    assert claim_next(two, moment=NOW) is None
    item = batch.items.order_by("pk")[1]
    add_slots(batch, {item.pk: 1}, most=2, reason="wanted", actor=None)
    assert claim_next(one, moment=NOW) is None
    card = claim_next(two, moment=NOW)
    assert card is not None
    assert card.assignment.item_id == item.pk
    outcome, _ = record_judgment(two, token=card.token, grade=1, moment=NOW)
    assert isinstance(outcome, Recorded)
    assert not outcome.judgment.surplus
    assert claim_next(two, moment=NOW) is None


@pytest.mark.django_db
def test_slots_are_added_to_a_real_layout() -> None:
    batch = make_campaign().draft(name="first", gold_share=0.2, repeat_share=0.1)
    lay_out(batch, actor=None)
    open_batch(batch, actor=None)
    everything = dict.fromkeys(batch.items.values_list("pk", flat=True), 1)
    before, ordinary = Slot.objects.count(), batch.items.filter(planting__isnull=True).count()
    assert add_slots(batch, everything, most=batch.judgments_per_item + 1, reason="wanted", actor=None).n_slots == (
        ordinary
    )
    assert Slot.objects.count() == before + ordinary < before + len(everything)


@pytest.mark.django_db(transaction=True)
def test_many_who_add_at_once_never_exceed_the_most() -> None:
    """Each asks for room for two more in each item; together they get what one alone would."""
    batch = small_batch()
    items = list(batch.items.order_by("pk").values_list("pk", flat=True))
    faults: list[Exception] = []
    added: list[int] = []
    ready = threading.Barrier(4)

    def add() -> None:
        try:
            ready.wait()
            wanted = dict.fromkeys(items, 2)
            added.append(add_slots(batch, wanted, most=4, reason="wanted", actor=None).n_slots)
        except Exception as fault:  # noqa: BLE001 -- raised below
            faults.append(fault)
        finally:
            connection.close()

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert sorted(added) == [0, 0, 0, 4]
    assert set(Slot.objects.filter(item__in=items).values_list("n", flat=True)) == {0, 1, 2, 3}
    batch.refresh_from_db()
    assert batch.n_expected == Slot.objects.count() == 8
