"""Judging: a pair that comes to the same person again."""

import pytest

from annotation.models import Assignment, Slot
from tests.annotation.judging.steps.test_judging import batch_for, judge_all
from tests.factories import make_document, make_item

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]


def test_a_second_reading_waits_for_the_first() -> None:
    batch, (one, _) = batch_for(2, n_documents=3, judgments_per_item=1)
    for item in batch.items.all():
        Slot.objects.create(
            collection=batch.collection, batch=batch, item=item, n=1, block=0, reading=2,
            reserved_for=one.annotator, due=0, transferable=False,
        )  # fmt: skip
    first, again, second, again_second, last = judge_all(one)  # beside a repeat of the last nothing would be left
    assert (again, again_second) == (first, second)
    assert len({first, second, last}) == 3
    assert sorted(Assignment.objects.values_list("reading", flat=True)) == [1, 1, 1, 2, 2]


def test_a_second_reading_comes_in_another_block() -> None:
    """As layouts have it: its slot stands in another block than its item."""
    batch, (one, _) = batch_for(2, n_documents=2, judgments_per_item=1)
    first = batch.items.earliest("id")
    later = [make_item(batch, first.topic, make_document(batch.collection), block=1, shuffle=9 + n) for n in range(3)]
    Slot.objects.create(
        collection=batch.collection, batch=batch, item=first, n=1, block=1, reading=2,
        reserved_for=one.annotator, due=1, transferable=False,
    )  # fmt: skip
    batch.participations.filter(pk=one.pk).update(block=0)
    one.refresh_from_db()
    order = judge_all(one)
    assert (order.count(first.pk), order.index(first.pk) < 2, order[3]) == (2, True, first.pk)
    assert {*order[:2]} == {item.pk for item in batch.items.filter(block=0)}
    assert {order[2], *order[4:]} == {item.pk for item in later}
    one.refresh_from_db()
    assert (one.block, one.done_in_block) == (1, 4)
