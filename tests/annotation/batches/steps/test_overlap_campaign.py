"""A whole steered campaign through the doors: people claim cards and judge them, the worker looks in between."""

import random
from collections import Counter

import pytest
from django.db.models import Count, F, Q
from django.utils import timezone

from annotation.batches.read.overlap import steering_of
from annotation.batches.steps.batches import open_batch
from annotation.batches.steps.layout import lay_out
from annotation.batches.steps.overlap import sweep_overlap
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import record_judgment
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Batch, Item, Job, Judgment, Participation, Slot
from tests.annotation.batches.steps.overlap_work import steering_policy
from tests.annotation.campaign import make_campaign

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

N_PEOPLE, FIRST, MOST = 6, 2, 4
CARDS = 12  # of one person, before the next one comes


def judged_by_all() -> Batch:
    """Three of six people are right on nine cards of ten, three on six; the truth of a pair follows from its number."""
    campaign = make_campaign(n_topics=4, n_pairs=16, n_gold=8, n_people=N_PEOPLE)
    for t, documents in enumerate(campaign.documents):
        for d in (*range(4), *range(len(documents) - 4, len(documents))):
            campaign.set_gold(t, d, _truth(documents[d].docno))
    policy = steering_policy(campaign.collection)
    batch = campaign.draft(
        judgments_per_item=FIRST, steered_by=policy, most_judgments=MOST, target_probability=0.85,
        gold_share=0.4, minimum_seconds=0, session_minutes=480, block_size=20, opening_cards=0,
    )  # fmt: skip
    lay_out(batch, actor=None)
    open_batch(batch, actor=None)
    people = list(Participation.objects.filter(batch=batch).order_by("annotator"))
    chance, idle = random.Random(6), 0
    while idle < 2:  # rounds in which nobody had a card; a look lies between
        worked = sum(_judge(person, 0.9 if place < 3 else 0.6, chance) for place, person in enumerate(people))
        _look()
        idle = 0 if worked else idle + 1
    batch.refresh_from_db()
    return batch


def _judge(person: Participation, accuracy: float, chance: random.Random) -> int:
    """How many cards the person had."""
    person.refresh_from_db()
    for n in range(CARDS):
        moment = timezone.now()
        card = claim_next(person, moment=moment)
        if card is None:
            return n
        truth = _truth(card.assignment.item.document.docno)
        grade = truth if chance.random() < accuracy else (truth + chance.choice((1, 2))) % 3
        record_judgment(person, token=card.token, grade=grade, moment=moment)
    return CARDS


def _truth(docno: str) -> int:
    """By its digits: row ids depend on what was there before."""
    return int("".join(filter(str.isdigit, docno))) % 3


def _look() -> None:
    sweep_overlap()
    while run := claim_job():
        assert run_job(run).state == Job.State.DONE


def test_pairs_in_doubt_get_more_and_never_too_many() -> None:
    batch = judged_by_all()
    ordinary = Item.objects.filter(batch=batch, planting__isnull=True)
    slots = ordinary.annotate(
        n_slots=Count("slots", filter=Q(slots__reading=1)),
        judged=Count("slots", filter=Q(slots__state=Slot.State.JUDGED)),
    )
    assert not slots.exclude(n_slots=F("judged")).exists(), "everything that was asked for is judged"
    tally = Counter(slots.values_list("n_slots", flat=True))
    assert set(tally) <= set(range(FIRST, MOST + 1))
    assert tally[FIRST] > 0
    assert sum(tally.values()) > tally[FIRST], "some were in doubt"
    twice = Judgment.objects.filter(batch=batch).values("item", "annotator").annotate(n=Count("pk")).filter(n__gt=1)
    assert not twice.exists()
    steering = steering_of(batch)
    assert steering is not None
    assert steering.summary is not None
    assert steering.summary.n_stopped == sum(tally.values())
    assert (steering.summary.n_wanting, steering.summary.n_short) == (0, 0)
    assert steering.n_added == sum(n * (number - FIRST) for number, n in tally.items())
    assert steering.summary.n_judgments == sum(n * number for number, n in tally.items())
