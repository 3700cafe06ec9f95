"""The rows of blocks say what their slots come to, whatever was done; and what they propose is all that there is."""

import json
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.batches.steps.batches import (
    BatchError,
    assign_annotators,
    close_batch,
    open_batch,
    pause_batch,
    release_item,
    reopen_batch,
    unassign_annotator,
)
from annotation.batches.steps.layout import add_slots, lay_out, withdraw_slots
from annotation.judging.steps import claiming
from annotation.judging.steps.claiming import claim_next, enter_block
from annotation.judging.steps.grading import record_judgment
from annotation.judging.steps.leases import lease_slot, release_ahead
from annotation.judging.steps.next_block import work_left
from annotation.judging.steps.next_slot import NEXT_SLOT, PUT_OFF, SHARED, free_slots
from annotation.judging.steps.putting_off import put_off, skip_item
from annotation.judging.steps.undo import reopen
from annotation.judging.steps.workspace import Workspace, workspace_of
from annotation.kernel.blocks import BlockCount, block_faults, recount_blocks
from annotation.models import Assignment, Batch, Block, Card, Item, LeftBlock, Participation, Slot
from annotation.models.prepared import Literal, Rows, Values
from tests.annotation.campaign import make_campaign
from tests.commands import ran
from tests.factories import make_annotator, make_annotators, make_batch, make_collection
from tests.journeys.invariants import broken_invariants

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

NOW = timezone.now()
TWO, LATE = timedelta(minutes=2), timedelta(minutes=11)
UNCLEAR = Assignment.SkipReason.UNCLEAR
_FREE = Values(
    lambda: free_slots(PUT_OFF).filter(SHARED).values_list("pk")[:1]
)  # as a claim found slots before blocks had rows


class Drawn:
    """A batch to which steps drawn by chance are done, one after another."""

    def __init__(self, batch: Batch, seed: int) -> None:
        self.batch, self.chance, self.moment = batch, random.Random(seed), NOW
        self.people = list(batch.participations.order_by("pk"))
        self.items = list(batch.items.filter(planting__isnull=True).order_by("pk").values_list("pk", flat=True))
        self.steps: list[Callable[[Participation], object]] = [
            *[self.judge] * 12, *[self.claim] * 3, self.skip, self.skip, self.put_off, self.release, self.revise,
            self.judge_late, self.wait, self.wait_long, self.pause, self.close, self.add, self.withdraw, self.let_go,
            self.leave,
        ]  # fmt: skip

    def step(self) -> str:
        step, person = self.chance.choice(self.steps), self.chance.choice(self.people)
        person = Participation.objects.select_related("annotator", "batch__collection").get(pk=person.pk)
        step(person)
        return step.__name__

    def claim(self, person: Participation) -> Card | None:
        card = claim_next(person, moment=self.moment, ahead=5 * (self.chance.random() < 0.5), page="one")
        if card is None and Participation.objects.get(pk=person.pk).is_active:
            assert nothing_is_left(person, self.moment)
        return card

    def judge(self, person: Participation) -> None:
        if card := self.claim(person):
            ahead = 5 * (self.chance.random() < 0.5)
            record_judgment(person, token=card.token, grade=1, moment=self.moment, ahead=ahead)

    def judge_late(self, person: Participation) -> None:
        if card := self.claim(person):
            self.wait_long(person)
            self.judge(self.chance.choice(self.people))
            record_judgment(person, token=card.token, grade=1, moment=self.moment)

    def skip(self, person: Participation) -> None:
        if card := self.claim(person):
            skip_item(person, token=card.token, reason=UNCLEAR, moment=self.moment)

    def put_off(self, person: Participation) -> None:
        if card := self.claim(person):
            put_off(person, token=card.token, moment=self.moment)

    def release(self, person: Participation) -> None:
        self.claim(person)
        cards = workspace_of(person, moment=self.moment).leased
        release_ahead(person, tokens=[card.token for card in cards[1:]], moment=self.moment, page="one")

    def revise(self, person: Participation) -> None:
        if card := reopen(person, moment=self.moment):
            record_judgment(person, token=card.token, grade=2, moment=self.moment)

    def wait(self, _: Participation) -> None:
        self.moment += TWO

    def wait_long(self, _: Participation) -> None:
        self.moment += LATE

    def pause(self, person: Participation) -> None:
        pause_batch(self.batch, actor=None)
        person.batch.refresh_from_db()
        assert claim_next(person, moment=self.moment) is None or self.holds(person)
        reopen_batch(self.batch, actor=None)

    def close(self, _: Participation) -> None:
        close_batch(self.batch, actor=None)
        reopen_batch(self.batch, actor=None)

    def holds(self, person: Participation) -> bool:
        return bool(workspace_of(person, moment=self.moment).leased)

    def add(self, _: Participation) -> None:
        add_slots(self.batch, dict.fromkeys(self.chance.sample(self.items, 2), 1), most=4, reason="", actor=None)

    def withdraw(self, _: Participation) -> None:
        withdraw_slots(self.batch, reason="", actor=None)

    def let_go(self, _: Participation) -> None:
        for item in Item.objects.filter(batch=self.batch, withheld=True):
            release_item(item, actor=None)

    def leave(self, person: Participation) -> None:
        try:
            unassign_annotator(self.batch, annotator=person.annotator, actor=None)
        except BatchError:
            assign_annotators(self.batch, annotators=[person.annotator], actor=None)


def nothing_is_left(person: Participation, moment: datetime) -> bool:
    return not _FREE.rows(**workspace_of(person, moment=moment).values)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(n, marks=pytest.mark.alike("other draws")) for n in (2, 3))])
def test_rows_are_as_their_slots_whatever_is_done(seed: int) -> None:
    campaign = make_campaign(n_topics=3, n_pairs=8, n_gold=4, n_people=5)
    people = campaign.annotators[:4]
    batch = campaign.draft(
        annotators=people, gold_share=0.2, judgments_per_item=2, minimum_seconds=0, session_minutes=0, block_size=4
    )
    lay_out(batch, actor=None)
    open_batch(batch, actor=None)
    assert block_faults(batch) == []
    assign_annotators(batch, annotators=campaign.annotators[4:], actor=None)
    assert block_faults(batch) == []
    drawn = Drawn(batch, seed)
    done = []
    for _ in range(120):
        done.append(drawn.step())
        assert [str(fault) for fault in block_faults(batch)] == [], done
    assert broken_invariants(batch) == []
    assert len(set(done)) >= 12


def test_who_is_ahead_of_the_others_does_not_look_through_their_own_blocks_again() -> None:
    collection = make_collection()
    batch = make_batch(collection, make_annotators(collection, ["", ""]), n_topics=12, n_documents=1)
    one, two = batch.participations.order_by("pk")
    counts = []
    for _ in range(12):
        with CaptureQueriesContext(connection) as seen:
            judge_next(one)
        counts.append(len(seen))
    assert LeftBlock.objects.filter(participation=one).count() >= 10
    assert len(set(counts[3:9])) == 1
    assert not work_left(workspace_of(one, moment=NOW))
    assert claim_next(one, moment=NOW) is None
    assert work_left(workspace_of(two, moment=NOW))


def test_a_slot_that_has_become_free_brings_a_person_back_to_its_block() -> None:
    collection = make_collection()
    batch = make_batch(
        collection, make_annotators(collection, ["", ""]), n_topics=2, n_documents=1, judgments_per_item=1
    )
    one, two = batch.participations.order_by("pk")
    card = claim_next(one, moment=NOW)
    assert card is not None
    judge_next(two)
    assert claim_next(two, moment=NOW) is None
    skip_item(one, token=card.token, reason=UNCLEAR, moment=NOW)
    again = claim_next(two, moment=NOW)
    assert again is not None
    assert again.assignment.item_id == card.assignment.item_id


def test_a_lease_that_has_lapsed_brings_a_person_to_its_block() -> None:
    """No row says so, for nobody has done anything."""
    collection = make_collection()
    batch = make_batch(collection, make_annotators(collection, ["", ""]), n_documents=1, judgments_per_item=1)
    one, two = batch.participations.order_by("pk")
    card = claim_next(one, moment=NOW)
    assert card is not None
    assert claim_next(two, moment=NOW) is None
    assert Block.objects.get().n_open == 0
    assert work_left(workspace_of(two, moment=NOW + LATE))
    Block.objects.all().delete()
    assert work_left(workspace_of(two, moment=NOW + LATE)), "the slots say so where there is no row"
    recount_blocks(batch)
    assert claim_next(two, moment=NOW + LATE) is not None
    assert block_faults(batch) == []


def test_a_literal_is_no_parameter() -> None:
    """The plan that the server keeps can use the index of leased slots only if the state stands in the statement."""
    for slots, end in (
        (Slot.objects.filter(state=Literal("leased")), "\"state\" = ('leased')"),
        (Slot.objects.filter(reading__in=[Literal(1), Literal(2)]), '"reading" IN (1, 2)'),
    ):
        sql, parameters = slots.query.get_compiler(connection=connection).as_sql()
        assert (sql.endswith(end), parameters) == (True, ()), sql
    with pytest.raises(ValueError, match="not a word"):
        Literal("it's")


def judge_next(person: Participation) -> None:
    card = claim_next(person, moment=NOW)
    assert card is not None
    record_judgment(person, token=card.token, grade=1, moment=NOW)


def test_an_item_withheld_since_its_slot_was_found_is_not_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    collection = make_collection()
    batch = make_batch(collection, [make_annotator(collection)], n_documents=2, judgments_per_item=1)
    withheld: list[int] = []

    def after_another(slot: Slot, workspace: Workspace) -> Card | None:
        """Somebody withholds the item between the look and the lease."""
        if not withheld:
            withheld.append(slot.item_id)
            Item.objects.filter(pk=slot.item_id).update(withheld=True)
            recount_blocks(batch)
        return lease_slot(slot, workspace)

    monkeypatch.setattr(claiming, "lease_slot", after_another)
    card = claim_next(batch.participations.get(), moment=NOW)
    assert card is not None
    assert card.assignment.item_id not in withheld
    assert block_faults(batch) == []


def test_slots_are_locked_before_their_item_is_changed() -> None:
    """As who judges does; otherwise each of the two could wait for the other."""
    collection = make_collection()
    batch = make_batch(collection, make_annotators(collection, ["", ""]), n_documents=1)
    item = batch.items.get()
    for person in batch.participations.order_by("pk"):
        card = claim_next(person, moment=NOW)
        assert card is not None
        with CaptureQueriesContext(connection) as withholding:
            skip_item(person, token=card.token, reason=UNCLEAR, moment=NOW)
    item.refresh_from_db()
    assert item.withheld
    with CaptureQueriesContext(connection) as releasing:
        release_item(item, actor=None)
    for seen in (withholding, releasing):
        lines = [each["sql"] for each in seen]
        locked = next(n for n, sql in enumerate(lines) if f'"annotation_slot"."item_id" = {item.pk} ORDER BY' in sql)
        assert not [
            sql for sql in lines[:locked] if sql.startswith(('UPDATE "annotation_item"', 'UPDATE "annotation_slot"'))
        ]


def test_what_is_kept_for_others_is_not_sought_in_every_block() -> None:
    """The rows say that nothing is simply open any more: the first block that has something will do."""
    collection = make_collection()
    annotators = make_annotators(collection, ["", ""])
    batch = make_batch(collection, annotators, n_topics=12, n_documents=1, judgments_per_item=1)
    batch.slots.update(reserved_for=annotators[1], due=0, transferable=True)
    recount_blocks(batch)
    with CaptureQueriesContext(connection) as seen:
        assert claim_next(batch.participations.get(annotator=annotators[0]), moment=NOW) is not None
    assert len([each for each in seen if "rank" in each["sql"]]) == 1


def test_a_row_that_is_wrong_keeps_no_pair_from_anybody_and_gives_none_too_many() -> None:
    collection = make_collection()
    batch = make_batch(collection, [make_annotator(collection)], n_topics=3, n_documents=1, judgments_per_item=1)
    person = batch.participations.get()
    Block.objects.update(n_open=0)
    assert work_left(workspace_of(person, moment=NOW))
    Block.objects.filter(number=1).update(n_open=6)
    for _ in range(3):
        judge_next(person)
    assert block_faults(batch) == []
    assert not work_left(workspace_of(person, moment=NOW))
    assert claim_next(person, moment=NOW) is None
    assert broken_invariants(batch) == []


def test_a_note_that_is_wrong_keeps_no_pair_from_anybody() -> None:
    collection = make_collection()
    batch = make_batch(collection, [make_annotator(collection)], n_documents=1, judgments_per_item=1)
    person = batch.participations.get()
    LeftBlock.objects.create(participation=person, block=Block.objects.get(), n_freed=0)
    assert work_left(workspace_of(person, moment=NOW))
    judge_next(person)
    assert block_faults(batch) == []


def test_a_block_whose_last_slot_somebody_is_taking_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    collection = make_collection()
    batch = make_batch(collection, [make_annotator(collection)], n_topics=2, n_documents=1, judgments_per_item=1)
    person = batch.participations.get()
    Block.objects.update(topic=batch.items.earliest("pk").topic)  # so that the same block comes first again
    asked: list[int] = []

    class Locked:
        """The slots of the block that is asked first are locked by another."""

        def __init__(self, rows: Rows[Slot]) -> None:
            self.rows = rows

        def first(self, **values: int) -> Slot | None:
            asked.append(values["block"])
            return None if values["block"] == asked[0] else self.rows.first(**values)

    for key, rows in list(NEXT_SLOT.items()):
        monkeypatch.setitem(NEXT_SLOT, key, Locked(rows))
    card = claim_next(person, moment=NOW)
    assert card is not None
    assert card.assignment.item.block != asked[0]
    assert not LeftBlock.objects.exists()


def test_the_command_says_where_rows_differ_and_sets_them_right() -> None:
    collection = make_collection("bees")
    batch = make_batch(collection, [make_annotator(collection)], n_topics=3, n_documents=2)
    name = batch.name
    Block.objects.filter(number=1).update(n_open=9, begun=True)
    Block.objects.filter(number=2).delete()
    shown = ran("batch", "recount", "bees", name, "--dry-run", "--json")
    right = {"n_open": 4, "n_transferable": 0, "begun": False}
    assert (shown.code, json.loads(shown.out)) == (
        0,
        {
            "batch": name,
            "blocks": [
                {"block": 1, "row": {"n_open": 9, "n_transferable": 0, "begun": True}, "slots": right},
                {"block": 2, "row": None, "slots": right},
            ],
            "stored": False,
        },
    )
    assert ran("batch", "recount", "bees", name).out.splitlines() == [
        "block 1: 9 open, 0 kept for somebody, begun, its slots come to 4 open, 0 kept for somebody, not begun",
        "block 2: no row, its slots come to 4 open, 0 kept for somebody, not begun",
        "2 blocks set right",
    ]
    assert not Block.objects.filter(n_freed=0).exists(), "a note on a block that was right would hold on"
    before = dict(Block.objects.values_list("number", "n_freed"))
    assert ran("batch", "recount", "bees", name).out == "all blocks are as their slots\n"
    assert {number: n + 1 for number, n in before.items()} == dict(Block.objects.values_list("number", "n_freed"))


def test_blocks_of_a_batch_under_way_are_counted_when_the_tables_come() -> None:
    campaign = make_campaign(n_topics=2)
    batch = campaign.draft(gold_share=0.2, judgments_per_item=2, minimum_seconds=0)
    lay_out(batch, actor=None)
    open_batch(batch, actor=None)
    person = batch.participations.select_related("annotator").earliest("pk")
    for _ in range(5):
        judge_next(person)
    Item.objects.filter(pk=batch.items.filter(planting__isnull=True).latest("pk").pk).update(withheld=True)
    Block.objects.all().delete()
    migration = import_module("annotation.migrations.0011_count_blocks")
    for _ in range(2):  # run again, it finds nothing to do
        migration.count_blocks(apps, None)
        assert block_faults(batch) == []
    assert Block.objects.filter(batch=batch, begun=True).exists()


def test_what_is_behind_a_person_counts_when_they_come_back_to_a_block() -> None:
    """What they have judged, and what they have given back."""
    collection = make_collection()
    batch = make_batch(collection, [make_annotator(collection)], n_documents=2, judgments_per_item=1)
    person = batch.participations.get()
    card = claim_next(person, moment=NOW)
    assert card is not None
    skip_item(person, token=card.token, reason=UNCLEAR, moment=NOW)
    judge_next(person)
    person.block, person.done_in_block = None, 0
    enter_block(Workspace(person, NOW), card.assignment.item.block)
    assert person.done_in_block == 2


def test_a_count_in_words() -> None:
    assert str(BlockCount(3, 1, begun=True)) == "3 open, 1 kept for somebody, begun"
