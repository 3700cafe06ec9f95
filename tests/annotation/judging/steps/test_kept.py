"""What coins keep for a person is let go where the pair is no more for them, whoever comes first."""

from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from annotation.batches.steps.batches import assign_annotators, open_batch, unassign_annotator
from annotation.batches.steps.layout import add_slots, lay_out
from annotation.gold.steps.events import set_gold, withdraw_gold
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import record_judgment
from annotation.judging.steps.putting_off import put_off
from annotation.judging.steps.qualifying import answer_pair, begin_attempt
from annotation.models import (
    Assignment,
    Batch,
    DocumentVersion,
    GoldEvent,
    Item,
    Judgment,
    Participation,
    Qualification,
    QualificationItem,
    Slot,
    StockItem,
    TopicVersion,
)
from tests.annotation.campaign import Campaign, make_campaign
from tests.annotation.exchange.steps.test_locks import Other

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

NOW = timezone.now()
Pair = tuple[int, int]


def campaign_of_one(n_people: int = 1) -> Campaign:
    return make_campaign(n_topics=1, n_pairs=24, n_gold=8, n_people=n_people)


def opened(campaign: Campaign, name: str, **settings: Any) -> Batch:
    chosen = {"gold_share": 0.3, "judgments_per_item": 1, "minimum_seconds": 0, "session_minutes": 0, "block_size": 60}
    batch = campaign.draft(name=name, **{**chosen, **settings})
    lay_out(batch, actor=None)
    open_batch(batch, actor=None)
    return Batch.objects.get(pk=batch.pk)


def first_card(batch: Batch) -> Participation:
    person = batch.participations.select_related("annotator").earliest("pk")
    assert claim_next(person, moment=NOW) is not None
    person.refresh_from_db()
    return person


def kept_in(batch: Batch) -> set[Pair]:
    slots = Slot.objects.filter(batch=batch, reserved_for__isnull=False, transferable=False)
    return {*slots.filter(assignment__isnull=True).values_list("item__topic", "item__document")}


def judge_all(person: Participation) -> list[Pair]:
    met = []
    while card := claim_next(person, moment=NOW):
        record_judgment(person, token=card.token, grade=1, moment=NOW)
        met.append((card.assignment.item.topic_id, card.assignment.item.document_id))
    return met


@pytest.mark.django_db(transaction=True)
def test_two_batches_that_throw_coins_for_a_person_at_once_keep_no_pair_twice() -> None:
    """The second waits for the first, and sees what it has kept."""
    campaign = campaign_of_one()
    one, two = (opened(campaign, name, gold_share=0.1) for name in ("one", "two"))  # of one seed: the same coins
    with transaction.atomic():
        first_card(one)
        other = Other(lambda: first_card(two))
        assert kept_in(one)
    other.end()
    assert kept_in(two)
    assert not kept_in(one) & kept_in(two)


@pytest.mark.django_db(transaction=True)
def test_slots_that_are_added_while_coins_are_thrown_elsewhere_leave_nothing_kept_twice() -> None:
    """Gold of the second batch is an ordinary pair of the first, whose slots are all taken until some are added."""
    campaign = campaign_of_one(n_people=2)
    me, them = campaign.annotators
    first = opened(campaign, "one", gold_share=0.0, annotators=[them])
    judge_all(first.participations.get())
    turned = turn_into_gold(campaign, first)
    second = opened(campaign, "two", annotators=[me])
    assign_annotators(first, annotators=[me], actor=None)
    everything = dict.fromkeys(first.items.values_list("pk", flat=True), 1)
    with transaction.atomic():
        first_card(second)
        others = kept_in(second) - turned
        assert kept_in(second) & turned
        other = Other(lambda: add_slots(first, everything, most=2, reason="wanted", actor=None))
    other.end()
    assert kept_in(second) == others


def turn_into_gold(campaign: Campaign, batch: Batch) -> set[Pair]:
    """Every second pair."""
    items = list(batch.items.order_by("pk"))[::2]
    for item in items:
        set_gold(
            campaign.collection, topic=item.topic, document=item.document, grade=1, accepted=[], reason="", actor=None
        )
    return {(item.topic_id, item.document_id) for item in items}


@pytest.mark.parametrize("way", ["assigned", "laid out"])
def test_what_lies_open_for_a_person_elsewhere_is_kept_for_them_no_longer(way: str) -> None:
    campaign = campaign_of_one(n_people=2)
    me, them = campaign.annotators
    other = campaign.draft(
        name="other", gold_share=0.0, judgments_per_item=1, annotators=[them] if way == "assigned" else [me, them]
    )
    if way == "assigned":
        lay_out(other, actor=None)
        turn_into_gold(campaign, other)
    batch = opened(campaign, "one", annotators=[me])
    first_card(batch)
    kept = kept_in(batch)
    if way == "assigned":
        assign_annotators(other, annotators=[me], actor=None)
    else:
        for topic, document in kept:  # gold no more, by an event that no step has told batches of
            event = GoldEvent.objects.filter(topic=topic, document=document).latest("pk")
            event.pk, event.action, event.grade = None, GoldEvent.Action.WITHDRAW, None
            event.save(force_insert=True)
        lay_out(other, actor=None)
    open_here = {*other.slots.filter(reserved_for=None).values_list("item__topic", "item__document")}
    assert kept & open_here
    assert kept_in(batch) == kept - open_here


def test_who_comes_back_to_a_batch_is_kept_nothing_that_they_have_met_elsewhere() -> None:
    campaign = campaign_of_one()
    (me,) = campaign.annotators
    batch = opened(campaign, "one")
    first_card(batch)
    (pair, *others) = sorted(kept_in(batch))
    unassign_annotator(batch, annotator=me, actor=None)
    elsewhere = campaign.draft(name="two", annotators=[me], judgments_per_item=1)
    lay_out(elsewhere, actor=None)
    item = Item.objects.filter(batch=batch, topic=pair[0], document=pair[1]).get()
    item.pk, item.batch, item.token = None, elsewhere, "elsewhere"
    Item.objects.filter(batch=elsewhere, topic=pair[0], document=pair[1]).delete()
    item.save(force_insert=True)
    Assignment.objects.create(
        collection=campaign.collection,
        batch=elsewhere,
        item=item,
        annotator=me,
        claimed_at=NOW,
        ended_at=NOW,
        state="expired",
    )
    assign_annotators(batch, annotators=[me], actor=None)
    assert kept_in(batch) == {*others}


def test_a_pair_that_a_qualification_round_teaches_is_kept_no_longer() -> None:
    campaign = campaign_of_one()
    batch = opened(campaign, "one")
    person = first_card(batch)
    (pair, *others) = sorted(kept_in(batch))
    qualification = Qualification.objects.create(
        collection=campaign.collection, name="round", scale=batch.scale, state="open"
    )
    item = QualificationItem.objects.create(
        qualification=qualification,
        position=1,
        topic_version=TopicVersion.objects.get(topic=pair[0]),
        document_version=DocumentVersion.objects.get(document=pair[1]),
        accepted=[1],
    )
    Batch.objects.filter(pk=batch.pk).update(qualification=qualification)
    begin_attempt(person, moment=NOW)
    answer_pair(person, token=item.token, grade=1, moment=NOW)
    assert kept_in(batch) == {*others}


def test_withdrawn_gold_comes_to_nobody_also_in_the_middle_of_a_visit() -> None:
    campaign = campaign_of_one(n_people=2)
    batch = opened(campaign, "one", judgments_per_item=2)
    person = first_card(batch)
    kept = kept_in(batch)
    assert kept
    for topic, document in kept:
        item = Item.objects.get(batch=batch, topic=topic, document=document)
        withdraw_gold(campaign.collection, topic=item.topic, document=item.document, reason="", actor=None)
    assert not kept_in(batch)
    assert not StockItem.objects.filter(item__document__in=[document for _, document in kept]).exists()
    assert not {*judge_all(person)} & kept
    n_pairs = Item.objects.filter(batch=batch, planting__isnull=True).count()
    assert Judgment.objects.filter(annotator=person.annotator, item__planting__isnull=True).count() == n_pairs


def test_what_was_put_off_comes_back_whatever_it_is_and_in_whatever_block_it_stands() -> None:
    """From the stock of the topic, so its home may be another block; also after they were away."""
    campaign = make_campaign(n_topics=2, n_pairs=40, n_gold=24, n_people=1)
    batch = opened(campaign, "one", block_size=10, gold_share=0.4)
    person = batch.participations.select_related("annotator").get()
    foreign = None
    while foreign is None:
        card = claim_next(person, moment=NOW)
        assert card is not None
        slot = card.assignment.slot
        assert slot is not None
        if slot.reserved_for_id and slot.block != card.assignment.item.block:
            foreign = card.assignment
            put_off(person, token=card.token, moment=NOW)
        else:
            record_judgment(person, token=card.token, grade=1, moment=NOW)
    person.refresh_from_db()
    block, seen = person.block, list[int]()
    while (card := claim_next(person, moment=NOW)) and card.assignment.slot and card.assignment.slot.block == block:
        record_judgment(person, token=card.token, grade=1, moment=NOW)
        seen.append(card.assignment_id)
    assert foreign.pk in seen, "before they went on to another block"
