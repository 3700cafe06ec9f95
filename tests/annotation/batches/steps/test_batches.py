"""The life of a batch, step by step: what is refused, who joins, who leaves."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from annotation.batches.steps.batches import (
    BatchError,
    BatchSettings,
    assign_annotators,
    change_batch,
    close_batch,
    open_batch,
    pause_batch,
    release_item,
    reopen_batch,
    unassign_annotator,
)
from annotation.batches.steps.deletion import delete_batch
from annotation.batches.steps.layout import lay_out
from annotation.gold.steps.events import withdraw_gold
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import record_judgment
from annotation.models import (
    Annotator,
    Assignment,
    AuditEvent,
    Batch,
    Item,
    Participation,
    Planting,
    Slot,
    StockItem,
)
from tests.annotation.batches.steps.layout.reserving import reserve
from tests.annotation.campaign import Campaign, make_campaign
from tests.factories import make_annotator, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

State = Batch.State
STEPS: dict[str, Callable[..., None]] = {
    "open": open_batch,
    "pause": pause_batch,
    "reopen": reopen_batch,
    "close": close_batch,
}
LEGAL = {
    (State.LAID_OUT, "open"): State.OPEN,
    (State.OPEN, "pause"): State.PAUSED,
    (State.PAUSED, "reopen"): State.OPEN,
    (State.CLOSED, "reopen"): State.OPEN,
    (State.LAID_OUT, "close"): State.CLOSED,
    (State.OPEN, "close"): State.CLOSED,
    (State.PAUSED, "close"): State.CLOSED,
}


def laid_out(campaign: Campaign, name: str = "first", **settings: Any) -> Batch:
    batch = campaign.draft(name=name, **settings)
    lay_out(batch, actor=None)
    return Batch.objects.get(pk=batch.pk)


def laid_out_before(campaign: Campaign, name: str = "first", **settings: Any) -> Batch:
    """With reservations."""
    batch = laid_out(campaign, name, **settings)
    reserve(batch)
    return batch


def judge_one(batch: Batch, annotator: Annotator) -> None:
    person = batch.participations.get(annotator=annotator)
    card = claim_next(person, moment=timezone.now())
    assert card is not None
    record_judgment(person, token=card.token, grade=1, moment=timezone.now())


def planted(batch: Batch, annotator: Annotator) -> int:
    return Slot.objects.filter(batch=batch, reserved_for=annotator, transferable=False).count()


@pytest.mark.parametrize("state", list(State))
@pytest.mark.parametrize("step", STEPS)
def test_only_legal_steps_are_taken(state: Batch.State, step: str) -> None:
    batch = make_campaign(n_topics=1, n_gold=0).draft()
    Batch.objects.filter(pk=batch.pk).update(state=state)
    actor = make_user()
    if (state, step) in LEGAL:
        STEPS[step](batch, actor=actor)
        assert AuditEvent.objects.filter(verb__startswith="batch ", subject="first", actor=actor).count() == 1
    else:
        with pytest.raises(BatchError, match="cannot be"):
            STEPS[step](batch, actor=actor)
        assert not AuditEvent.objects.filter(actor=actor).exists()
    assert Batch.objects.get(pk=batch.pk).state == LEGAL.get((state, step), state)


def test_a_batch_without_participants_is_not_opened() -> None:
    batch = laid_out(make_campaign(n_topics=1))
    Participation.objects.filter(batch=batch).update(is_active=False)
    with pytest.raises(BatchError, match="Nobody takes part"):
        open_batch(batch, actor=None)
    assert Batch.objects.get(pk=batch.pk).state == State.LAID_OUT


def test_a_draft_can_be_changed_a_layout_cannot() -> None:
    campaign = make_campaign()
    batch = campaign.draft()
    settings = BatchSettings(name="other", pool=campaign.pool, judgments_per_item=2, seed=9)

    def change() -> None:
        people = campaign.annotators[:2]
        change_batch(batch, settings=settings, topics=campaign.topics[:1], annotators=people, actor=None)

    change()
    batch.refresh_from_db()
    assert (batch.name, batch.judgments_per_item, batch.seed, batch.topics.count()) == ("other", 2, 9, 1)
    assert batch.participations.count() == 2
    lay_out(batch, actor=None)
    with pytest.raises(BatchError, match="keeps its settings"):
        change()


def test_drafts_and_untouched_layouts_can_go() -> None:
    campaign = make_campaign()
    delete_batch(campaign.draft(), actor=None)
    delete_batch(laid_out(campaign), actor=None)
    assert not Batch.objects.exists()
    assert not Item.objects.exists()
    assert not Slot.objects.exists()
    assert not Planting.objects.exists()
    assert not StockItem.objects.exists()
    assert AuditEvent.objects.filter(verb="batch deleted").count() == 2


@pytest.mark.parametrize("state", [State.OPEN, State.PAUSED, State.CLOSED])
def test_an_opened_batch_stays(state: Batch.State) -> None:
    batch = laid_out(make_campaign(n_topics=1))
    Batch.objects.filter(pk=batch.pk).update(state=state)
    with pytest.raises(BatchError, match="stays"):
        delete_batch(batch, actor=None)
    assert Item.objects.filter(batch=batch).exists()


def test_a_layout_with_judgments_stays() -> None:
    campaign = make_campaign(n_topics=1)
    batch = laid_out(campaign)
    open_batch(batch, actor=None)
    judge_one(batch, campaign.annotators[0])
    Batch.objects.filter(pk=batch.pk).update(state=State.LAID_OUT)
    with pytest.raises(BatchError, match="People have judged"):
        delete_batch(batch, actor=None)


def test_who_joins_a_layout_is_kept_nothing_for_and_meets_gold_by_coins() -> None:
    campaign = make_campaign(n_topics=4, n_pairs=20, n_gold=12)
    batch = laid_out(campaign, gold_share=0.3, judgments_per_item=1, minimum_seconds=0, session_minutes=0)
    n_slots, before = Slot.objects.count(), batch.n_expected
    newcomer = make_annotator(campaign.collection, pseudonym="A-9")
    assign_annotators(batch, annotators=[newcomer], actor=None)
    batch.refresh_from_db()
    assert (Slot.objects.count(), batch.n_expected) == (n_slots, before)
    open_batch(batch, actor=None)
    for _ in range(60):
        judge_one(batch, newcomer)
    met = Assignment.objects.filter(annotator=newcomer, item__planting__isnull=False, state="judged")
    assert 10 <= met.count() <= 27


def test_who_joins_a_layout_of_before_gets_planted_slots_and_ordinary_ones_alike() -> None:
    campaign = make_campaign(n_topics=4, n_pairs=20, n_gold=12)
    batch = laid_out_before(campaign, gold_share=0.2, check_share=0.1, judgments_per_item=3)
    before = batch.n_expected
    n_slots = Slot.objects.filter(batch=batch, item__planting=None).count()
    newcomer = make_annotator(campaign.collection, pseudonym="A-9")
    others = Slot.objects.filter(batch=batch, reserved_for__in=campaign.annotators).order_by("pk")
    kept = list(others.values())
    assert assign_annotators(batch, annotators=[newcomer], actor=None) == 1
    assert list(others.values()) == kept
    mine = Slot.objects.filter(batch=batch, reserved_for=newcomer)
    assert planted(batch, newcomer) >= 10
    assert not mine.filter(transferable=False, item__planting=None).exists()
    assert mine.filter(transferable=True).count() > 3
    assert Slot.objects.filter(batch=batch, item__planting=None).count() == n_slots
    assert mine.values("item").distinct().count() == mine.count()
    batch.refresh_from_db()
    assert before < batch.n_expected <= before + planted(batch, newcomer)


@pytest.mark.parametrize("layout", [laid_out, laid_out_before])
def test_gold_withdrawn_since_is_kept_for_nobody_who_joins(layout: Callable[..., Batch]) -> None:
    campaign = make_campaign(n_topics=1, n_pairs=20, n_gold=8)
    batch = layout(campaign, gold_share=0.3)
    for item in batch.items.filter(planting__purpose="gold"):
        withdraw_gold(campaign.collection, topic=item.topic, document=item.document, reason="no", actor=None)
    newcomer = make_annotator(campaign.collection)
    assign_annotators(batch, annotators=[newcomer], actor=None)
    assert planted(batch, newcomer) == 0
    assert not StockItem.objects.filter(batch=batch, item__planting__isnull=False).exists()


def test_people_can_be_assigned_to_a_draft_and_not_to_a_closed_batch() -> None:
    campaign = make_campaign(n_topics=1)
    batch = campaign.draft(annotators=[])
    assert assign_annotators(batch, annotators=campaign.annotators, actor=None) == 4
    assert assign_annotators(batch, annotators=campaign.annotators, actor=None) == 0
    assert all(1 <= salt < 2**31 - 1 for salt in batch.participations.values_list("salt", flat=True))
    Batch.objects.filter(pk=batch.pk).update(state=State.CLOSED)
    with pytest.raises(BatchError, match="closed"):
        assign_annotators(batch, annotators=[make_annotator(campaign.collection)], actor=None)


def test_who_leaves_frees_ordinary_items_and_keeps_judgments_and_place() -> None:
    campaign = make_campaign(n_topics=3, n_gold=8)
    batch = laid_out(campaign, gold_share=0.2)
    open_batch(batch, actor=None)
    one = campaign.annotators[0]
    judge_one(batch, one)
    had = planted(batch, one)
    unassign_annotator(batch, annotator=one, actor=None)
    assert not Slot.objects.filter(batch=batch, reserved_for=one, transferable=True, state="open").exists()
    assert Assignment.objects.filter(batch=batch, annotator=one, state="judged").count() == 1
    judge_one(batch, one)  # the card they held when they left
    assert claim_next(batch.participations.get(annotator=one), moment=timezone.now()) is None
    with pytest.raises(BatchError, match="does not take part"):
        unassign_annotator(batch, annotator=one, actor=None)
    assert assign_annotators(batch, annotators=[one], actor=None) == 1
    assert planted(batch, one) == had


def test_reopening_lets_go_of_what_people_have_met_elsewhere_since() -> None:
    campaign = make_campaign(n_topics=2, n_gold=8)
    first = laid_out_before(campaign, gold_share=0.2)
    open_batch(first, actor=None)
    close_batch(first, actor=None)
    second = laid_out_before(campaign, name="second", gold_share=0.2)
    pair = ("reserved_for", "item__topic", "item__document")
    twice = set(Slot.objects.filter(batch=first, transferable=False, reserved_for__isnull=False).values_list(*pair))
    kept = Slot.objects.filter(batch=second, transferable=False, reserved_for__isnull=False)
    twice &= set(kept.values_list(*pair))
    assert twice
    n_kept = kept.count()
    reopen_batch(first, actor=None)
    left = set(Slot.objects.filter(batch=first, transferable=False, reserved_for__isnull=False).values_list(*pair))
    assert not left & set(kept.values_list(*pair))
    assert kept.count() == n_kept
    assert (
        Slot.objects.filter(batch=first, item__planting=None).count() == 3 * first.items.filter(planting=None).count()
    )


def test_a_withheld_item_is_released_once() -> None:
    batch = laid_out(make_campaign(n_topics=1))
    item = batch.items.order_by("pk")[0]
    Item.objects.filter(pk=item.pk).update(withheld=True)
    release_item(item, actor=None)
    assert not Item.objects.get(pk=item.pk).withheld
    with pytest.raises(BatchError, match="not withheld"):
        release_item(item, actor=None)
    assert AuditEvent.objects.filter(verb="item released").count() == 1
