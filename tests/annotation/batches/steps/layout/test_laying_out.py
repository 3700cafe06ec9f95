"""Layouts in the database: what is stored is what the dry run said."""

from collections import Counter
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from annotation.batches.steps.batches import close_batch, open_batch
from annotation.batches.steps.layout import LayoutError, dry_run, lay_out
from annotation.batches.steps.layout.planning import plan_layout
from annotation.batches.steps.layout.rows import read_material
from annotation.gold.steps.events import withdraw_gold
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import record_judgment
from annotation.models import Assignment, AuditEvent, Batch, Item, Planting, Slot
from annotation.trust.steps.pausing import pause_annotator
from tests.annotation.campaign import Campaign, make_campaign
from tests.factories import make_annotator

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

NOW = timezone.now()


def laid_out(campaign: Campaign, name: str = "first", **settings: Any) -> Batch:
    batch = campaign.draft(name=name, **settings)
    lay_out(batch, actor=None)
    return Batch.objects.get(pk=batch.pk)


def layout(batch: Batch) -> list[tuple[object, ...]]:
    """Everything that the seed decides."""
    fields = ("item__topic__number", "item__document__docno", "item__block", "item__shuffle", "n", "block")
    reserved = ("reserved_for__pseudonym", "due", "transferable", "reading")
    return sorted(Slot.objects.filter(batch=batch).values_list(*fields, *reserved), key=str)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite makes its plans without counts of rows")
def test_the_planner_knows_how_much_a_layout_has_written() -> None:
    """Else the first claims are planned for empty tables, and choosing a block takes tens of seconds."""
    laid_out(make_campaign(n_topics=6, n_pairs=30))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, reltuples FROM pg_class WHERE relname IN ('annotation_item', 'annotation_slot')"
        )
        assert dict(cursor.fetchall()) == {
            "annotation_item": Item.objects.count(),
            "annotation_slot": Slot.objects.count(),
        }


def judge_everything(batch: Batch) -> None:
    """All participants in turns, until nothing is left for anybody."""
    batch.participations.update(block=None)
    people = list(batch.participations.order_by("pk"))
    while people:
        for person in list(people):
            card = claim_next(person, moment=NOW)
            if card is None:
                people.remove(person)
            else:
                record_judgment(person, token=card.token, grade=1, moment=NOW)


def test_what_is_stored_is_what_the_dry_run_said() -> None:
    campaign = make_campaign()
    batch = campaign.draft(gold_share=0.2, check_share=0.1, repeat_share=0.1)
    forecast = dry_run(batch)
    assert not Item.objects.exists()
    assert lay_out(batch, actor=None) == forecast
    batch.refresh_from_db()
    purposes = Counter(Planting.objects.values_list("purpose", flat=True))
    assert Item.objects.filter(batch=batch).count() == forecast.n_items
    assert (purposes["gold"], purposes["check"]) == (forecast.n_gold, forecast.n_checks)
    assert Slot.objects.filter(reserved_for=None).count() + Slot.objects.filter(transferable=True).count() == (
        forecast.n_ordinary_judgments
    )
    assert (batch.state, batch.n_expected) == (Batch.State.LAID_OUT, forecast.n_judgments)
    assert batch.laid_out_at is not None
    assert AuditEvent.objects.get(verb="batch laid out").detail["items"] == forecast.n_items


def test_gold_pairs_of_the_pool_are_marked() -> None:
    campaign = make_campaign()
    batch = laid_out(campaign)
    pooled = set(campaign.pool.pairs.values_list("topic", "document"))
    gold = Planting.objects.filter(purpose="gold").values_list("item__topic", "item__document", "in_pool")
    assert {inside for *_, inside in gold} == {True, False}
    assert all(((topic, document) in pooled) == inside for topic, document, inside in gold)
    assert not Slot.objects.filter(item__planting__isnull=False, transferable=True).exists()
    assert not Slot.objects.filter(item__planting__isnull=False, reserved_for=None).exists()
    assert Item.objects.filter(batch=batch).values("topic", "document").distinct().count() == batch.items.count()


def test_texts_and_scale_are_pinned() -> None:
    campaign = make_campaign(n_topics=1)
    batch = laid_out(campaign)
    item = batch.items.select_related("topic_version", "document_version").first()
    assert item is not None
    topic, document = item.texts
    assert (topic.topic_id, document.document_id) == (item.topic_id, item.document_id)
    assert item.scale_id == campaign.collection.scale_id


def test_the_layout_follows_from_the_seed() -> None:
    campaign = make_campaign()
    first, second = laid_out(campaign, repeat_share=0.1), campaign.draft(name="second", repeat_share=0.1)
    before = layout(first)
    Slot.objects.all().delete()  # what the first has kept for people would count as met
    lay_out(second, actor=None)
    assert layout(second) == before
    Slot.objects.all().delete()
    assert layout(laid_out(campaign, name="third", seed=8, repeat_share=0.1)) != before


def test_checks_are_of_another_topics_pool() -> None:
    campaign = make_campaign()
    laid_out(campaign, check_share=0.1)
    own = {
        topic.pk: {d.pk for d in documents}
        for topic, documents in zip(campaign.topics, campaign.documents, strict=True)
    }
    checks = list(Planting.objects.filter(purpose="check").values_list("item__topic", "item__document", "in_pool"))
    assert checks
    assert not [1 for topic, document, inside in checks if document in own[topic] or inside]


def test_a_second_batch_brings_nobody_gold_that_they_have_in_the_first() -> None:
    """What they have met there, and what is kept for them there."""
    campaign = make_campaign(n_gold=10)
    first, second = laid_out(campaign, gold_share=0.4), laid_out(campaign, name="second", gold_share=0.2)
    for batch in (first, second):
        open_batch(batch, actor=None)
    for person in first.participations.all():
        assert claim_next(person, moment=NOW), "coins have kept something for them"
    kept = Slot.objects.filter(batch=first, transferable=False, reserved_for__isnull=False)
    pair = ("item__topic", "item__document")
    kept_first = set(kept.values_list("reserved_for", *pair))
    judge_everything(second)
    judge_everything(first)
    gold = Assignment.objects.filter(item__planting__isnull=False).values_list("annotator", *pair)
    assert kept_first
    assert not kept_first & set(gold.filter(batch=second))
    assert not set(gold.filter(batch=first)) & set(gold.filter(batch=second))
    assert gold.filter(batch=first)
    assert gold.filter(batch=second)


def test_what_lies_open_for_a_person_elsewhere_is_no_gold_for_them() -> None:
    campaign = make_campaign(n_topics=1, n_gold=0)
    first = laid_out(campaign, gold_share=0.0)
    for document in (0, 1, -1):  # the last is not in the pool
        campaign.set_gold(0, document, 3)
    elsewhere, newcomer = list(campaign.annotators), make_annotator(campaign.collection)
    second = campaign.draft(name="second", annotators=[*elsewhere, newcomer])
    open_there = {(campaign.topics[0].pk, campaign.documents[0][document].pk) for document in (0, 1)}
    assert {person.annotator: person.met & open_there for person in read_material(second).people} == {
        **{annotator.pk: open_there for annotator in elsewhere},
        newcomer.pk: set(),
    }
    close_batch(first, actor=None)
    assert not any(person.met for person in read_material(second).people)


def test_the_real_claim_brings_the_share_of_gold() -> None:
    campaign = make_campaign(n_topics=4, n_pairs=30, n_gold=20)
    batch = laid_out(campaign, gold_share=0.15, judgments_per_item=3)
    open_batch(batch, actor=None)
    judge_everything(batch)
    judged = Assignment.objects.filter(batch=batch, state=Assignment.State.JUDGED)
    gold = judged.filter(item__planting__purpose="gold").count()
    assert gold / judged.count() == pytest.approx(0.15, abs=0.04)
    assert not Slot.objects.filter(batch=batch, item__planting=None).exclude(state=Slot.State.JUDGED).exists()
    assert judged.count() == pytest.approx(batch.n_expected, rel=0.06)


def test_gold_judged_before_counts_towards_ten() -> None:
    campaign = make_campaign(n_topics=4, n_pairs=30, n_gold=20)
    batch = laid_out(campaign, gold_share=0.15)
    assert {person.n_gold_before for person in dry_run(campaign.draft(name="other")).people} == {0}
    open_batch(batch, actor=None)
    judge_everything(batch)
    forecast = dry_run(campaign.draft(name="more"))
    counts = Counter(
        Assignment.objects.filter(state="judged", item__planting__purpose="gold").values_list(
            "annotator__pseudonym", flat=True
        )
    )
    assert {person.pseudonym: person.n_gold_before for person in forecast.people} == dict(counts)


def test_withdrawn_gold_is_laid_out_as_any_other_pair() -> None:
    campaign = make_campaign(n_topics=1)
    withdraw_gold(
        campaign.collection,
        topic=campaign.topics[0],
        document=campaign.documents[0][0],
        reason="doubtful",
        actor=None,
    )
    batch = laid_out(campaign)
    item = batch.items.get(document=campaign.documents[0][0])
    assert not Planting.objects.filter(item=item).exists()
    assert item.slots.filter(reading=1).count() == 3


@pytest.mark.parametrize("annotators", [0, 2])
def test_too_few_people_are_refused_and_nothing_is_stored(annotators: int) -> None:
    campaign = make_campaign()
    batch = campaign.draft(annotators=campaign.annotators[:annotators])
    with pytest.raises(LayoutError, match="judgments of every pair by different people"):
        lay_out(batch, actor=None)
    batch.refresh_from_db()
    assert batch.state == Batch.State.DRAFT
    assert not Item.objects.exists()


def test_a_batch_is_laid_out_once() -> None:
    batch = laid_out(make_campaign())
    with pytest.raises(LayoutError, match="already"):
        lay_out(batch, actor=None)


def test_a_document_without_a_text_is_refused() -> None:
    campaign = make_campaign()
    campaign.documents[0][5].versions.update(is_current=False)
    batch = campaign.draft()
    with pytest.raises(LayoutError, match="1 text of the pool is not in the collection"):
        lay_out(batch, actor=None)
    assert not Item.objects.exists()


def test_a_topic_without_a_text_is_refused() -> None:
    campaign = make_campaign()
    topic = campaign.topics[0]
    topic.versions.update(is_current=False)
    batch = campaign.draft()
    with pytest.raises(LayoutError, match="1 topic of the pool has no text any more"):
        lay_out(batch, actor=None)
    assert not Item.objects.exists()


def test_the_dry_run_names_who_gets_no_cards_and_counts_on_the_others() -> None:
    campaign = make_campaign()
    draft = campaign.draft()
    before = dry_run(draft)
    pause_annotator(campaign.annotators[1], reason="Too fast", actor=None)
    after = dry_run(draft)
    assert {person.pseudonym: person.n_judgments for person in after.people if not person.gets_cards} == {"A-2": 0}
    assert after.n_ordinary_judgments == before.n_ordinary_judgments
    assert sum(person.n_judgments for person in after.people) == pytest.approx(after.n_judgments, abs=1)
    assert all(b.n_judgments < a.n_judgments for b, a in zip(before.people, after.people, strict=True) if a.gets_cards)
    assert after.n_gold_judgments == pytest.approx(sum(person.n_gold for person in after.people), abs=2)
    assert set(after.warnings) - set(before.warnings) == {
        "Paused or excluded, and without cards until they are brought back: A-2. The figures leave them out."
    }


def test_gold_pairs_that_will_have_the_first_judgments_are_counted_one_by_one() -> None:
    """Many judgments spread over many gold pairs are not enough of any."""
    campaign = make_campaign(n_people=4)
    plan = dry_run(campaign.draft(judgments_per_item=1, gold_share=0.2))
    assert 0 < plan.n_gold_ready <= plan.n_gold_judgments
    thin = dry_run(campaign.draft(name="thin", judgments_per_item=2, gold_share=0.05))
    assert thin.n_gold_ready < thin.n_gold_judgments // 2 + 1
    assert thin.n_gold_ready <= sum(person.n_gold for person in thin.people) // 2
    lone = dry_run(
        campaign.draft(name="lone", judgments_per_item=1, annotators=campaign.annotators[:1], gold_share=0.2)
    )
    assert lone.n_gold_ready == lone.n_gold_judgments, "each is another pair"


def test_who_is_paused_meanwhile_changes_nothing_in_the_layout() -> None:
    campaign = make_campaign()
    draft = campaign.draft()
    before = read_material(draft)
    pause_annotator(campaign.annotators[1], reason="Too fast", actor=None)
    after = read_material(draft)
    assert [person.gets_cards for person in after.people].count(False) == 1
    assert plan_layout(after) == plan_layout(before)
