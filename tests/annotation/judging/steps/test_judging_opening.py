"""How topics open for people: the first cards are from all heights of the pool, and tell nothing of what they are."""

from collections import Counter, defaultdict
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.batches.steps.batches import open_batch
from annotation.batches.steps.layout import lay_out
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import record_judgment
from annotation.judging.steps.leases import release_ahead
from annotation.kernel.blocks import recount_blocks
from annotation.models import Assignment, Batch, Item, Participation, Planting, Slot
from tests.annotation.campaign import make_campaign
from tests.factories import make_annotator, make_batch, make_collection
from tests.journeys.invariants import broken_invariants

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

NOW = timezone.now()


def batch_of(*strata: int | None, people: int = 1, **settings: Any) -> tuple[Batch, list[Participation]]:
    """One topic of so many documents, each of a stratum."""
    collection = make_collection()
    annotators = [make_annotator(collection) for _ in range(people)]
    batch = make_batch(collection, annotators, n_documents=len(strata), **{"judgments_per_item": 1, **settings})
    for item, stratum in zip(Item.objects.filter(batch=batch).order_by("pk"), strata, strict=True):
        Item.objects.filter(pk=item.pk).update(stratum=stratum)
    return batch, list(batch.participations.order_by("pk"))


def strata_met(person: Participation, n: int = 100) -> list[int | None]:
    """The strata of the next cards, in order; each is judged."""
    met = list[int | None]()
    while len(met) < n and (card := claim_next(person, moment=NOW)) is not None:
        met.append(Item.objects.get(pk=card.assignment.item_id).stratum)
        record_judgment(person, token=card.token, grade=1, moment=NOW)
    return met


@pytest.mark.parametrize("salt", [1, 77, 48271, 99991])
def test_the_first_cards_span_the_pool(salt: int) -> None:
    _, (one,) = batch_of(*[0] * 8, *[1] * 8, *[2] * 8)
    Participation.objects.update(salt=salt)
    met = strata_met(one)
    assert sorted(met[:3]) == [0, 1, 2]  # type: ignore[type-var]
    assert Counter(met) == {0: 8, 1: 8, 2: 8}


def test_people_open_in_orders_of_their_own() -> None:
    orders = set()
    for salt in range(2, 12):
        _, (one,) = batch_of(*[0] * 6, *[1] * 6, *[2] * 6)
        Participation.objects.filter(pk=one.pk).update(salt=pow(69621, salt, 2147483647))
        orders.add(tuple(strata_met(one, 3)))
    assert len(orders) >= 3


def test_a_stratum_that_has_run_out_is_passed_over() -> None:
    _, (one,) = batch_of(0, 0, 0, 2, 2, 2)
    assert sorted(strata_met(one, 2)) == [0, 2]  # type: ignore[type-var]
    assert len(strata_met(one)) == 4


def test_switched_off_or_laid_out_before_the_order_is_as_it_was() -> None:
    """Without strata, and with none wanted: both by the person's own order alone."""
    order = list[list[int]]()
    for strata, opening in (((0,) * 3 + (1,) * 3 + (2,) * 3, 0), ((None,) * 9, 3)):
        batch, (one,) = batch_of(*strata, opening_cards=opening)
        places = {pk: at for at, pk in enumerate(batch.items.order_by("pk").values_list("pk", flat=True))}
        strata_met(one)
        judged = Assignment.objects.filter(batch=batch).order_by("pk").values_list("item", flat=True)
        order.append([places[item] for item in judged])
    assert order[0] == order[1]


def test_a_card_held_ahead_counts_and_one_given_back_does_not() -> None:
    batch, (one,) = batch_of(*[0] * 4, *[1] * 4, *[2] * 4)
    claim_next(one, moment=NOW, ahead=True)
    assignments = Assignment.objects.filter(batch=batch).order_by("pk")
    assert len({each.item.stratum for each in assignments}) == 2
    token = assignments[1].cards.get().token
    assert release_ahead(one, tokens=[token], moment=NOW)
    assert len(set(strata_met(one, 3))) == 3


def test_a_second_block_of_the_topic_opens_no_more() -> None:
    """There the pairs come in the person's own order: they have met one of each stratum."""
    _, (one,) = batch_of(*[0] * 3, *[1] * 3, *[2] * 3)
    strata_met(one)
    later, (two,) = batch_of(0, 0, 0, 1, 1, 1, 2, 2, 2)
    first = Item.objects.filter(batch=later).order_by("pk")
    Item.objects.filter(pk__in=[each.pk for each in first[:3]]).update(block=0)
    rest = [each.pk for each in first[3:]]
    Item.objects.filter(pk__in=rest).update(block=1)
    Slot.objects.filter(item__in=rest).update(block=1)
    recount_blocks(later)
    strata_met(two)
    order = Assignment.objects.filter(batch=later).order_by("pk").values_list("item__block", flat=True)
    assert len(order) == 9
    assert Counter(order) == {0: 3, 1: 6}


def test_half_judged_pairs_come_first_within_a_stratum() -> None:
    _, (one, two) = batch_of(*[0] * 4, *[1] * 4, *[2] * 4, people=2, judgments_per_item=2)
    for person in (one, two):
        strata_met(person, 3)
    begun, again = (set(person.annotator.judgments.values_list("item", flat=True)) for person in (one, two))
    assert len(begun) == 3
    assert begun == again


def laid(**settings: Any) -> Batch:
    campaign = make_campaign(n_topics=4, n_pairs=24, n_gold=12, n_people=3)
    batch = campaign.draft(gold_share=0.15, check_share=0.08, block_size=15, **settings)
    lay_out(batch, actor=None)
    open_batch(batch, actor=None)
    return batch


def judge_all(batch: Batch) -> dict[int, list[int]]:
    """By annotator: the items in the order in which they met them, all people in turns."""
    met: dict[int, list[int]] = defaultdict(list)
    people = list(batch.participations.order_by("pk"))
    while people:
        for person in list(people):
            card = claim_next(person, moment=NOW)
            if card is None:
                people.remove(person)
                continue
            met[person.annotator_id].append(card.assignment.item_id)
            record_judgment(person, token=card.token, grade=1, moment=NOW)
    return met


def test_a_whole_batch_with_openers() -> None:
    """Exactly the wanted judgments; topics open with all heights; what is planted keeps to no place.

    Not every topic opens so at once: what is reserved comes when it is due, of whatever stratum.
    """
    batch = laid(judgments_per_item=2, repeat_share=0.05, opening_cards=3)
    met = judge_all(batch)
    assert broken_invariants(batch) == []
    ordinary = Slot.objects.filter(batch=batch, item__planting=None, reading=1)
    assert set(ordinary.values_list("state", flat=True)) == {"judged"}
    assert ordinary.count() == 2 * batch.items.filter(planting=None).count()

    where = {item.pk: item for item in batch.items.all()}
    spans = [
        len({where[item].stratum for item in [one for one in items if where[one].topic_id == topic][:6]})
        for items in met.values()
        for topic in {item.topic_id for item in where.values()}
    ]
    assert sum(span == 3 for span in spans) >= 0.8 * len(spans)

    planted = set(Planting.objects.filter(item__batch=batch).values_list("item", flat=True))
    first, everywhere = list[bool](), list[bool]()
    for items in met.values():
        place: Counter[int] = Counter()
        for item in items:
            everywhere.append(item in planted)
            if place[where[item].block] < 5:
                first.append(item in planted)
            place[where[item].block] += 1
    assert sum(first) / len(first) == pytest.approx(sum(everywhere) / len(everywhere), abs=0.1)


def test_a_claim_takes_the_same_queries_whatever_comes() -> None:
    """While a topic opens and later: the statements name no table that says what an item is."""
    batch = laid(judgments_per_item=3, opening_cards=3)
    planted = set(Planting.objects.filter(item__batch=batch).values_list("item", flat=True))
    person = batch.participations.earliest("pk")
    counts: dict[bool, set[int]] = {True: set(), False: set()}
    block = None
    for _ in range(40):
        with CaptureQueriesContext(connection) as seen:
            card = claim_next(person, moment=NOW)
        assert card is not None
        assert not [each for each in seen if "goldevent" in each["sql"] or "planting" in each["sql"]]
        here = card.assignment.item.block
        if here == block:
            counts[card.assignment.item_id in planted].add(len(seen))
        block = here
        with CaptureQueriesContext(connection) as seen:
            record_judgment(person, token=card.token, grade=1, moment=NOW)
        assert not [each for each in seen if "goldevent" in each["sql"] or "planting" in each["sql"]]
    assert counts[True] <= counts[False]
