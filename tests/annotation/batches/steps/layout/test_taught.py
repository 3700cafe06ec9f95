"""The pairs of a batch's qualification round are handed to nobody: not as ordinary ones, not as gold, not as checks."""

from collections.abc import Sequence

import pytest
from django.utils import timezone

from annotation.batches.steps.batches import assign_annotators, open_batch
from annotation.batches.steps.layout import LayoutError, dry_run, lay_out
from annotation.batches.steps.qualifications import (
    QualificationSettings,
    add_pair,
    create_qualification,
    open_qualification,
)
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import record_judgment
from annotation.models import Annotator, Assignment, Batch, Item, Qualification, Slot
from tests.annotation.campaign import Campaign, make_campaign
from tests.annotation.qualified import go_through, place_in
from tests.factories import make_annotator

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]
NOW = timezone.now()
TAUGHT = ((0, 0), (0, 6), (0, 15), (1, 7))  # gold of the pool, ordinary, gold from outside, ordinary


def make_round(campaign: Campaign, pairs: Sequence[tuple[int, int]] = TAUGHT, *, is_open: bool = True) -> Qualification:
    qualification = create_qualification(campaign.collection, settings=QualificationSettings(name="Basics"), actor=None)
    for topic, document in pairs:
        text = campaign.documents[topic][document].versions.get()
        add_pair(qualification, topic=campaign.topics[topic].versions.get(), document=text, accepted=[0])
    if is_open:
        open_qualification(qualification, actor=None)
    return qualification


def taught_items(batch: Batch, campaign: Campaign) -> list[Item]:
    items = Item.objects.filter(batch=batch)
    pairs = {(campaign.topics[t].pk, campaign.documents[t][d].pk) for t, d in TAUGHT}
    return [item for item in items if (item.topic_id, item.document_id) in pairs]


def judge_all(batch: Batch, annotator: Annotator) -> None:
    place = batch.participations.get(annotator=annotator)
    while card := claim_next(place, moment=NOW):
        record_judgment(place, token=card.token, grade=0, moment=NOW)


def test_nobody_meets_a_pair_of_the_round() -> None:
    campaign = make_campaign(n_topics=2, n_people=3)
    batch = campaign.draft(qualification=make_round(campaign), gold_share=0.5, judgments_per_item=2, session_minutes=0)
    forecast = dry_run(batch)
    assert forecast.n_left_out == 2, "of the pool and not known"
    lay_out(batch, actor=None)
    open_batch(batch, actor=None)
    late = make_annotator(campaign.collection)
    assign_annotators(batch, annotators=[late], actor=None)
    for annotator in (*campaign.annotators, late):
        go_through(place_in(batch, annotator), [0] * len(TAUGHT))
        judge_all(Batch.objects.get(pk=batch.pk), annotator)
    assert Assignment.objects.filter(batch=batch).count() > 40
    rest = taught_items(batch, campaign)
    assert [item.document.docno for item in rest] == ["D1-00"], "gold of the pool rests, for the snapshot"
    assert not Slot.objects.filter(item__in=rest).exists()


def test_the_same_layout_without_a_round_hands_them_out() -> None:
    campaign = make_campaign(n_topics=2, n_people=3)
    batch = campaign.draft(gold_share=0.5, judgments_per_item=2)
    lay_out(batch, actor=None)
    assert len(taught_items(batch, campaign)) >= 3


def test_what_someone_answered_in_any_round_is_never_planted_for_them() -> None:
    campaign = make_campaign(n_topics=2, n_people=2)
    knowing, other = campaign.annotators
    gold = [(t, d) for t in range(2) for d in (0, 1, 2, 13, 14, 15)]
    first = campaign.draft(name="first", annotators=[knowing], qualification=make_round(campaign, gold[:9]))
    go_through(place_in(first, knowing), [0] * 9)
    second = campaign.draft(name="second", gold_share=0.5, judgments_per_item=2)
    lay_out(second, actor=None)
    known = {(campaign.topics[t].pk, campaign.documents[t][d].pk) for t, d in gold[:9]}

    open_batch(second, actor=None)

    def planted(annotator: Annotator) -> set[tuple[int, int]]:
        judge_all(Batch.objects.get(pk=second.pk), annotator)
        met = Assignment.objects.filter(batch=second, annotator=annotator, item__planting__isnull=False)
        return set(met.values_list("item__topic_id", "item__document_id"))

    assert not planted(knowing) & known
    assert planted(other) & known


def test_a_round_that_is_still_a_draft_is_opened_first() -> None:
    campaign = make_campaign(n_topics=2)
    batch = campaign.draft(qualification=make_round(campaign, is_open=False))
    reason = "The qualification round Basics is a draft. Open it first: its pairs are left out here."
    assert dry_run(batch).errors == (reason,)
    with pytest.raises(LayoutError, match="is a draft"):
        lay_out(batch, actor=None)
    Qualification.objects.update(state="closed")
    lay_out(Batch.objects.get(pk=batch.pk), actor=None)
