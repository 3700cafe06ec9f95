"""What coins bring: kept for a visit, handed out at its card, given back, never twice."""

from collections import Counter
from datetime import timedelta
from itertools import groupby
from math import ceil
from operator import itemgetter
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from annotation.batches.steps.batches import close_batch, open_batch
from annotation.batches.steps.layout import lay_out
from annotation.gold.steps.events import set_gold
from annotation.judging.read.remaining import cards_left
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.desk import MORE_STEP, desk_of
from annotation.judging.steps.grading import record_judgment
from annotation.judging.steps.putting_off import put_off, skip_item
from annotation.judging.steps.stock import throw_coins
from annotation.judging.steps.workspace import lock_workspace, write_last
from annotation.kernel.blocks import block_faults, recount_blocks
from annotation.models import Assignment, Batch, Card, Item, Participation, Slot, StockItem
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
    kept = Slot.objects.filter(batch=batch, reserved_for=one.annotator)
    strand_by_due = dict(kept.values_list("due", "item__stock__strand"))
    assert len(strand_by_due) == kept.count(), "two slots at one card"
    assert {*strand_by_due} <= {*range(one.thrown)}
    assert set(kept.values_list("block", flat=True)) == {one.block}
    assert kept.filter(transferable=True).count() == sum(strand == 2 for strand in strand_by_due.values()) > 0
    n_pairs = Item.objects.filter(batch=batch, block=one.block, planting__isnull=True).count()
    beside = [due for due, strand in strand_by_due.items() if strand != 2]
    assert one.thrown == n_pairs + len(beside)
    assert one.pairs_end == 1 + max(card for card in range(one.thrown) if card not in beside)
    assert block_faults(batch) == []


@pytest.mark.parametrize("block_size", [15, 60], ids=["several blocks", "one block"])
def test_nobody_comes_back_to_a_block_for_what_was_planted_in_it(block_size: int) -> None:
    """Where nobody takes anything meanwhile, a visit is a block: all its pairs, and what comes beside them, in any
    order. No later visit is as long as what was planted.
    """
    batch = open_layout(n_people=2, block_size=block_size, n_topics=12)
    (one, _) = people_of(batch)
    visits, kinds = list[int](), dict[int, list[str]]()
    while each := judge_next(one):
        assert each.slot is not None
        block = each.slot.block
        if not visits or visits[-1] != block:
            if visits:
                left = Slot.objects.filter(batch=batch, block=visits[-1], reserved_for=one.annotator, **KEPT)
                assert not left.exists(), "what was kept and never handed out has gone back"
            visits.append(block)
        purpose = Item.objects.values_list("planting__purpose", flat=True).get(pk=each.item_id)
        kinds.setdefault(block, []).append("again" if each.reading == 2 else purpose or "pair")
    assert max(Counter(visits).values()) == 1
    ordinary = Item.objects.filter(batch=batch, planting__isnull=True)
    n_of = Counter(ordinary.values_list("block", flat=True))
    assert {block: each.count("pair") for block, each in kinds.items()} == n_of
    planted = sum(len(each) - each.count("pair") for each in kinds.values())
    assert planted / sum(map(len, kinds.values())) == pytest.approx(0.35 if block_size == 15 else 0.27, abs=0.05)
    assert sum(each[-1] != "pair" for each in kinds.values()) > 0, "the last card of a visit is planted, too"
    assert block_faults(batch) == []


def test_the_visit_is_not_over_while_its_last_cards_are_to_come() -> None:
    """After the last pair the pages say that something is left, and it comes."""
    batch = open_layout(n_people=2, n_topics=12, block_size=60)
    (one, _) = people_of(batch)
    while judge_next(one):
        one.refresh_from_db()
        assert one.pairs_end is not None
        if one.pairs_end <= one.done_in_block < one.thrown:
            break
    mine = Participation.objects.filter(pk=one.pk).annotate(left=cards_left())
    for left in (True, False):
        Card.objects.filter(assignment__state="leased").delete()  # as before it was claimed
        Assignment.objects.filter(state="leased").delete()
        Slot.objects.filter(state="leased").update(state="open", lease_until=None)
        away = Slot.objects.filter(batch=batch, state="open")
        (away if one.block is None else away.exclude(block=one.block)).delete()
        recount_blocks(batch)
        assert mine.get().left == left
        assert desk_of(one, moment=NOW).state == ("start" if left else "done")
        Participation.objects.filter(pk=one.pk).update(pairs_end=None)
        one.refresh_from_db()


def test_what_is_left_of_the_topic_falls_by_one_with_every_card_whatever_it_is() -> None:
    """As nobody else is there, it says of each card how many came after it, in steps of five."""
    person = people_of(open_layout(n_people=1, judgments_per_item=1))[0]
    shown = list[tuple[int, int]]()  # the card's block, and how many the desk says are left
    while (card := claim_next(person, moment=NOW, ahead=5)) is not None:
        desk = desk_of(Participation.objects.get(pk=person.pk), moment=NOW)
        assert set(desk.more) == {each.token for each in desk.cards}
        card.assignment.refresh_from_db()
        assert card.assignment.slot is not None
        shown.append((card.assignment.slot.block, desk.more[card.token]))
        record_judgment(person, token=card.token, grade=1, moment=NOW)
    blocks = [list(group) for _, group in groupby(shown, key=itemgetter(0))]
    assert len(blocks) > 1
    for visit in blocks:
        left = range(len(visit) - 1, -1, -1)
        assert [rest for _, rest in visit] == [max(1, ceil(n / MORE_STEP)) * MORE_STEP for n in left]


def test_a_visit_to_one_pair_has_one_card_or_one_more_for_each_that_comes_beside_it() -> None:
    """So its first card costs the same whether it is the pair or not."""
    batch = open_layout(n_people=4, judgments_per_item=1)
    one, *others = people_of(batch)
    claim_next(one, moment=NOW)
    one.refresh_from_db()
    block = one.block
    assert block is not None
    Slot.objects.filter(batch=batch, reserved_for=one.annotator, transferable=False).delete()
    last = Slot.objects.filter(batch=batch, block=block, state="open").first()
    assert last is not None
    Slot.objects.filter(batch=batch, state="open").exclude(pk=last.pk).delete()
    recount_blocks(batch)
    two = others[0]
    card = claim_next(two, moment=NOW)
    assert card is not None
    assert card.assignment.item_id == last.item_id
    two.refresh_from_db()
    assert two.thrown == 1 + Slot.objects.filter(reserved_for=two.annotator, transferable=False).count()


@pytest.mark.parametrize("seed", range(102, 108))
def test_where_a_visit_is_cut_short_the_next_makes_up_for_it_so_that_its_length_tells_nothing(seed: int) -> None:
    """Whatever has come of it, as many cards are left. Nobody comes back for what was planted: a pair must be left."""
    batch = open_layout(n_people=2, n_topics=12, seed=seed)
    (one, _) = people_of(batch)
    n_cut = 0
    for n_before in (3, 5, 4, 30, 2):
        for _ in range(n_before):
            judge_next(one)
        one.refresh_from_db()
        block, thrown = one.block, one.thrown
        assert one.pairs_end is not None
        with transaction.atomic():
            workspace = lock_workspace(one, moment=NOW)
            if workspace.done >= one.pairs_end:
                continue
            n_cut += 1
            throw_coins(workspace)
            write_last(workspace)
        one.refresh_from_db()
        assert (one.block, one.thrown) == (block, thrown)
        assert block_faults(batch) == []
    assert n_cut > 2


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
        claim_next(person, moment=NOW, ahead=5)
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
        card = claim_next(person, moment=moment, ahead=5 * (chance.random() < 0.5))
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
