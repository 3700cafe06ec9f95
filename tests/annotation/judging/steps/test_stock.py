"""What coins bring: kept for a visit, handed out at its card, given back, never twice."""

from collections import Counter
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.utils import timezone

from annotation.batches.steps.batches import close_batch, open_batch
from annotation.batches.steps.layout import lay_out
from annotation.gold.steps.events import set_gold
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.coins import by_chance, deal
from annotation.judging.steps.grading import record_judgment
from annotation.judging.steps.putting_off import put_off, skip_item
from annotation.kernel.blocks import block_faults
from annotation.models import Assignment, Batch, Block, Item, Participation, Slot, StockItem
from tests.annotation.batches.steps.layout.reserving import reserve
from tests.annotation.campaign import make_campaign
from tests.journeys.invariants import broken_invariants

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

NOW = timezone.now()
UNCLEAR = Assignment.SkipReason.UNCLEAR
CLOSED_AFTER = 120  # cards
KEPT = {"reserved_for__isnull": False, "assignment__isnull": True}


def open_layout(*, n_topics: int = 4, n_people: int = 4, **settings: Any) -> Batch:
    campaign = make_campaign(n_topics=n_topics, n_pairs=24, n_gold=16, n_people=n_people)
    chosen = {
        "gold_share": 0.2,
        "check_share": 0.05,
        "repeat_share": 0.1,
        "judgments_per_item": 2,
        "session_minutes": 0,
    }
    batch = campaign.draft(**{**chosen, "minimum_seconds": 0, "block_size": 15, **settings})
    lay_out(batch, actor=None)
    open_batch(batch, actor=None)
    return Batch.objects.get(pk=batch.pk)


def people_of(batch: Batch) -> list[Participation]:
    return list(batch.participations.select_related("annotator").order_by("pk"))


def judge_next(person: Participation) -> Assignment | None:
    card = claim_next(person, moment=NOW)
    if card is not None:
        record_judgment(person, token=card.token, grade=1, moment=NOW)
    return None if card is None else card.assignment


def test_a_layout_stores_the_slots_that_are_wanted_and_keeps_nothing_for_anybody() -> None:
    batch = open_layout()
    ordinary = Item.objects.filter(batch=batch, planting__isnull=True).count()
    assert Slot.objects.filter(batch=batch).count() == 2 * ordinary
    assert not Slot.objects.filter(batch=batch, reserved_for__isnull=False).exists()
    strands = Counter(StockItem.objects.filter(batch=batch).values_list("strand", "item__planting__purpose"))
    assert {key for key, n in strands.items() if n} == {(0, "gold"), (1, "check"), (2, None)}


def test_coins_keep_slots_due_at_their_cards_and_only_for_the_visit() -> None:
    batch = open_layout()
    (one, *_) = people_of(batch)
    assert claim_next(one, moment=NOW)
    one.refresh_from_db()
    assert one.block is not None
    topic = Block.objects.get(batch=batch, number=one.block).topic
    stock = Counter(StockItem.objects.filter(batch=batch, topic=topic, strand__lt=2).values_list("strand", flat=True))
    items = Item.objects.filter(batch=batch, topic=topic)
    dealt = deal(
        one.salt,
        block=min(items.values_list("block", flat=True)),
        n_pairs=items.filter(planting__isnull=True).count(),
        shares=batch.coin_shares or [],
        supply=stock,
    )
    due_of = {at: strand for at, strand in dealt.items() if at < one.thrown}
    kept = Slot.objects.filter(batch=batch, reserved_for=one.annotator)
    strand_by_due = dict(kept.values_list("due", "item__stock__strand"))
    assert strand_by_due.items() <= due_of.items()
    assert {due for due, strand in due_of.items() if strand < 2} <= strand_by_due.keys()
    assert set(kept.values_list("block", flat=True)) == {one.block}
    assert kept.filter(transferable=True).count() == sum(strand == 2 for strand in strand_by_due.values())
    assert block_faults(batch) == []


def test_a_visit_has_as_many_cards_as_there_were_pairs_whatever_comes() -> None:
    batch = open_layout(n_people=2)
    (one, _) = people_of(batch)
    visits = list[tuple[int, int]]()
    while judge_next(one):
        one.refresh_from_db()
        assert one.block is not None
        if not visits or visits[-1] != (one.block, one.thrown):
            if visits and visits[-1][0] != one.block:
                left = Slot.objects.filter(batch=batch, block=visits[-1][0], reserved_for=one.annotator, **KEPT)
                assert not left.exists(), "what was kept and never handed out has gone back"
            visits.append((one.block, one.thrown))
    assert len(visits) > 4
    ordinary = Item.objects.filter(batch=batch, planting__isnull=True)
    first_visits = dict(reversed(visits))  # nobody else has taken anything
    assert first_visits == Counter(ordinary.values_list("block", flat=True))
    n_items = ordinary.count()
    met = Assignment.objects.filter(annotator=one.annotator, reading=1, item__planting__isnull=True)
    assert met.count() == n_items
    assert block_faults(batch) == []


@pytest.mark.parametrize("reserved", [False, True], ids=["coins", "reservations"])
def test_what_somebody_meets_or_is_to_meet_in_one_batch_comes_to_them_in_no_other(*, reserved: bool) -> None:
    """They go from one to the other and back, with cards in their hands."""
    campaign = make_campaign(n_topics=3, n_pairs=36, n_gold=12, n_people=3)
    shares: dict[str, Any] = {"gold_share": 0.4, "check_share": 0.05, "judgments_per_item": 2, "minimum_seconds": 0}
    batches = [campaign.draft(name=name, seed=seed, **shares) for seed, name in enumerate(("one", "two"))]
    for batch in batches:
        lay_out(batch, actor=None)
        if reserved and batch.name == "one":
            reserve(batch)
        open_batch(batch, actor=None)
        for item in list(Item.objects.filter(batch=batch, planting=None))[::2]:  # gold from the next batch on
            set_gold(
                campaign.collection,
                topic=item.topic,
                document=item.document,
                grade=1,
                accepted=[],
                reason="",
                actor=None,
            )
    people, chance, n = [person for batch in batches for person in people_of(batch)], Random(2), 0
    while people:
        person = chance.choice(people)
        claim_next(person, moment=NOW, ahead=True)
        n += 1
        if not judge_next(person):
            people.remove(person)
        if n == CLOSED_AFTER:
            close_batch(batches[0], actor=None)
    met = Assignment.objects.filter(item__planting__isnull=False)
    assert {*met.values_list("batch__name", flat=True)} == {"one", "two"}
    pairs = Assignment.objects.values_list("annotator", "item__topic", "item__document", "item__planting__purpose")
    times = Counter(pair[:3] for pair in pairs)
    assert max(times[pair[:3]] for pair in pairs if pair[3]) == 1
    assert [fault for batch in batches for fault in broken_invariants(batch)] == []


@pytest.mark.parametrize("before", [False, True], ids=["coins", "reservations"])
def test_whatever_people_do_nothing_comes_twice_and_nothing_is_lost(*, before: bool) -> None:
    """They judge, skip, put off, let cards lapse, take two tabs."""
    batch = open_layout(n_people=5, judgments_per_item=3)
    if before:
        reserve(batch)
    chance, moment, people = Random(3), NOW, people_of(batch)
    for _ in range(5000):
        if not people:
            break
        person = chance.choice(people)
        moment += timedelta(seconds=1)
        card = claim_next(person, moment=moment, ahead=chance.random() < 0.5)
        if card is None:
            people.remove(person)
            continue
        deed = chance.random()
        if deed < 0.02:
            skip_item(person, token=card.token, reason=UNCLEAR, moment=moment)
        elif deed < 0.06:
            put_off(person, token=card.token, moment=moment)
        elif deed < 0.08:
            moment += timedelta(minutes=11)
        else:
            record_judgment(person, token=card.token, grade=chance.randrange(4), moment=moment)
    assert not people
    assert broken_invariants(batch) == []
    pairs = Assignment.objects.filter(batch=batch).values_list("annotator", "item__topic", "item__document", "reading")
    assert max(Counter(pairs).values()) == 1
    readings: Counter[tuple[int, str | None]] = Counter(
        Assignment.objects.filter(batch=batch, state="judged").values_list("reading", "item__planting__purpose")
    )
    assert before or all(readings[kind] > 5 for kind in ((1, "gold"), (1, "check"), (2, None), (1, None)))
    judged = sum(readings.values())
    assert 0.1 < readings[1, "gold"] / judged < 0.25
    left = Slot.objects.filter(batch=batch, item__planting__isnull=True, reading=1, item__withheld=False)
    assert left.exclude(state="judged").count() <= 6, "what somebody skipped may find nobody"


def test_a_repeat_is_of_another_block_and_was_judged_before() -> None:
    batch = open_layout(repeat_share=0.3, gold_share=0.1)
    for person in people_of(batch):
        while judge_next(person):
            pass
    again = Assignment.objects.filter(batch=batch, reading=2).select_related("slot", "item")
    first = {
        (a.annotator_id, a.item_id): a for a in Assignment.objects.filter(batch=batch, reading=1).select_related("slot")
    }
    assert again.count() > 10
    for each in again:
        earlier = first[each.annotator_id, each.item_id]
        assert earlier.pk < each.pk
        assert earlier.slot is not None
        assert each.slot is not None
        assert earlier.slot.block != each.slot.block


def test_where_the_stock_is_short_chance_says_which_cards_are_served() -> None:
    dues = list(range(0, 40, 4))
    counts = Counter(due for salt in range(1, 2001) for due in by_chance(dues, 3, salt=salt, block=1))
    assert all(abs(counts[due] - 600) < 90 for due in dues)
    assert by_chance(dues, 99, salt=5, block=1) == dues
