"""A layout in portions: cut short and taken up, cancelled, overtaken by changes, and never seen before it is whole."""

import re
from collections.abc import Callable, Iterator
from threading import get_ident
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from annotation.batches.steps.batches import (
    BatchSettings,
    assign_annotators,
    change_batch,
    open_batch,
    unassign_annotator,
)
from annotation.batches.steps.deletion import delete_batch
from annotation.batches.steps.layout import LayoutError, begin_layout, lay_out, part, start_layout
from annotation.batches.steps.layout.job import sweep_layouts
from annotation.exchange.read.bundles import Transfer
from annotation.exchange.steps.bundles.parts.batches import Batches, Items, Slots
from annotation.gold.steps.events import withdraw_gold
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import record_judgment
from annotation.kernel.blocks import recount_blocks
from annotation.kernel.jobs import ask_cancel, claim_job, run_job
from annotation.models import Batch, Block, Item, Job, Planting, Slot, StockItem
from tests.annotation.batches.steps.layout.portions import (
    ROWS,
    KilledError,
    audited,
    cut_short,
    drafted,
    expected,
    in_portions,
    killed,
    make_portions_small,
    nothing_stored,
    stored,
)
from tests.annotation.campaign import Campaign, make_campaign
from tests.factories import make_collection, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

NOW = timezone.now()
CHANCE = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"|nonce="[^"]*"|[0-2][0-9]:[0-5][0-9]')  # and the time


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    make_portions_small(monkeypatch)


@pytest.mark.parametrize("at", [0, 1, 4])
def test_a_layout_that_was_killed_goes_on_where_it_was(at: int) -> None:
    _, batch = drafted()
    whole = expected(batch)
    cut_short(batch, at=at)
    written = list(Item.objects.filter(batch=batch).order_by("pk").values_list("pk", "token"))
    assert (len(written) > 0, audited()) == (at > 0, 0)
    in_portions(batch)
    assert stored(batch) == whole
    assert list(Item.objects.filter(batch=batch).order_by("pk").values_list("pk", "token"))[: len(written)] == written
    assert audited() == 1


def test_it_goes_on_also_between_its_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    _, batch = drafted()
    whole = expected(batch)
    n_calls = iter(range(10))
    monkeypatch.setattr(part, "recount_blocks", lambda *args: killed() if next(n_calls) == 1 else recount_blocks(*args))
    with pytest.raises(KilledError):
        in_portions(batch)
    assert 0 < Block.objects.filter(batch=batch).count() < len(whole[4])
    in_portions(batch)
    assert stored(batch) == whole


@pytest.mark.parametrize("spoil", ["kind", "slot", "slots", "shuffle"])
def test_what_another_plan_has_left_is_cleared(spoil: str) -> None:
    _, batch = drafted()
    whole = expected(batch)
    cut_short(batch)
    planted, slots = Planting.objects.filter(item__batch=batch), Slot.objects.filter(batch=batch)
    spoiled: dict[str, Callable[[], object]] = {
        "kind": lambda: planted.filter(pk__in=planted.values("pk")[:1]).delete(),
        "slot": lambda: slots.filter(pk__in=slots.values("pk")[:1]).delete(),
        "slots": lambda: slots.filter(item=slots.order_by("pk").values("item")[:1]).delete(),
        "shuffle": lambda: Item.objects.filter(batch=batch).update(shuffle=1),
    }
    spoiled[spoil]()
    in_portions(batch)
    assert stored(batch) == whole


def test_no_portion_has_more_rows_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    _, batch = drafted(judgments_per_item=4)
    sizes = [0]
    took = part.Pace.took  # called after each transaction

    def counted() -> int:
        mine = (
            Item.objects.filter(batch=batch),
            Slot.objects.filter(batch=batch),
            StockItem.objects.filter(batch=batch),
        )
        return sum(rows.count() for rows in mine) + Planting.objects.filter(item__batch=batch).count()

    def counting(pace: part.Pace, seconds: float) -> None:
        sizes.append(counted() - sum(sizes))
        took(pace, seconds)

    monkeypatch.setattr(part.Pace, "took", counting)
    in_portions(batch)
    sizes = [n for n in sizes if n]  # the others are of blocks
    if connection.vendor == "postgresql":  # slots are those of the portion before
        assert max(sizes) <= 2 * ROWS < sum(sizes)
        return
    assert max(sizes) <= ROWS < sum(sizes)
    assert min(sizes[:-1]) > ROWS - 7  # an item has six rows at most


@pytest.mark.django_db(transaction=True)
def test_postgresql_gets_slots_by_a_second_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error there ends the layout, which goes on later with the slots that are missing."""
    _, batch = drafted()
    whole = expected(batch)
    threads, storing = list[int](), part._store_slots

    def failing(*args: Any) -> None:
        threads.append(get_ident())
        if len(threads) == 4:
            raise IntegrityError
        storing(*args)

    monkeypatch.setattr(part, "_store_slots", failing)
    with pytest.raises(IntegrityError):
        in_portions(batch)
    slotless = Item.objects.filter(batch=batch, planting__isnull=True, slots__isnull=True)
    is_second = connection.vendor == "postgresql"
    assert slotless.exists() == is_second
    in_portions(batch)
    assert (stored(batch) == whole, get_ident() not in threads) == (True, is_second)


def test_on_sqlite_a_portion_is_as_large_as_the_machine_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    pace = part.Pace()
    if connection.vendor == "postgresql":
        pace.took(9)
        assert pace.rows == part.ROWS
        return
    assert pace.rows == part.FEWEST
    pace.rows = 1000
    pace.took(4 * part.LOCK)
    assert (pace.rows, pace.blocks) == (250, part.BLOCKS_UNDER_LOCK // 4)
    pace.took(1000)
    assert pace.rows == part.FEWEST
    pace.took(0)
    assert pace.rows == 2 * part.FEWEST


def test_the_lock_of_sqlite_is_let_go_for_a_while_after_each_portion(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise who judges waits until a layout is written, however short its portions (benchmarks/layout_kills.py)."""
    rests = list[float]()
    monkeypatch.setattr("annotation.batches.steps.layout.part.time.sleep", rests.append)
    _, batch = drafted(judgments_per_item=4)
    in_portions(batch)
    assert not rests, "in a transaction nothing is let go"
    monkeypatch.setattr(connection, "in_atomic_block", False)
    part.Pace().rest()
    monkeypatch.undo()
    assert rests == ([part.REST] if connection.vendor == "sqlite" else [])


def _ask_cancel(job: Job) -> None:
    ask_cancel(job)


def test_a_cancelled_layout_leaves_nothing() -> None:
    _, batch = drafted()
    job = start_layout(batch, created_by=make_user())
    run = claim_job()
    assert run is not None
    run.watch = lambda done, *_: _ask_cancel(job) if done > ROWS // 6 else None
    assert run_job(run).state == Job.State.CANCELLED
    assert nothing_stored(batch)
    assert audited() == 0
    in_portions(batch)
    assert audited() == 1


def test_a_job_that_was_killed_is_taken_up_by_the_next_attempt() -> None:
    _, batch = drafted()
    whole = expected(batch)
    start_layout(batch, created_by=make_user())
    run = claim_job()
    assert run is not None
    run.watch = lambda done, *_: killed() if done > ROWS // 6 else None
    with pytest.raises(KilledError):
        run_job(run)
    written = Item.objects.filter(batch=batch).count()
    assert written
    assert sweep_layouts() == 0  # somebody may take it up
    Job.objects.update(lease_until="2020-01-01T00:00Z")
    again = claim_job()
    assert again is not None
    reported: list[int] = []
    again.watch = lambda done, total, text: reported.append(done) if text == "Laying out" else None
    assert run_job(again).state == Job.State.DONE
    assert (reported[0], again.attempt, stored(batch) == whole, audited()) == (written, 2, True, 1)


def test_what_nobody_takes_up_any_more_is_swept() -> None:
    _, batch = drafted()
    job = start_layout(batch, created_by=make_user())
    cut_short(batch)
    assert sweep_layouts() == 0
    ask_cancel(job)
    assert sweep_layouts() == 1
    assert nothing_stored(batch)
    lay_out(batch, actor=None)
    assert sweep_layouts() == 0
    assert Item.objects.filter(batch=batch).exists()


def test_a_command_does_not_begin_what_a_worker_does() -> None:
    _, batch = drafted()
    start_layout(batch, created_by=make_user())
    with pytest.raises(LayoutError, match="being laid out"):
        begin_layout(batch)


def changes(campaign: Campaign, batch: Batch) -> Iterator[Callable[[], object]]:
    """Whatever a plan rests on."""
    yield lambda: withdraw_gold(
        campaign.collection, topic=campaign.topics[0], document=campaign.documents[0][0], reason="", actor=None
    )
    yield lambda: unassign_annotator(batch, annotator=campaign.annotators[0], actor=None)
    yield lambda: assign_annotators(batch, annotators=campaign.annotators, actor=None)
    settings = BatchSettings(name="first", pool=campaign.pool, seed=8, judgments_per_item=2, block_size=10)
    topics, people = campaign.topics[:2], campaign.annotators[:3]
    yield lambda: change_batch(batch, settings=settings, topics=topics, annotators=people, actor=None)


def test_a_change_meanwhile_is_in_the_layout() -> None:
    """As if it had been made before, whichever portion it met."""
    campaign, batch = drafted()
    for at, change in enumerate(changes(campaign, batch)):
        in_portions(batch, change, at=at)
        laid = stored(batch)
        assert audited() == 1
        Batch.objects.filter(pk=batch.pk).update(state="draft")
        assert laid == expected(Batch.objects.get(pk=batch.pk))


def test_who_changes_it_again_and_again_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    _, batch = drafted()
    seeds = iter(range(100, 200))
    monkeypatch.setattr(
        part, "tell_planner", lambda *_: Batch.objects.filter(pk=batch.pk).update(block_size=next(seeds))
    )
    start_layout(batch, created_by=make_user())
    run = claim_job()
    assert run is not None
    job = run_job(run)
    assert (job.state, "again and again" in job.error, nothing_stored(batch)) == (Job.State.FAILED, True, True)


def test_another_step_in_the_collection_changes_nothing() -> None:
    campaign, batch = drafted()
    whole = expected(batch)
    in_portions(batch, lambda: campaign.draft(name="second"), at=3)
    assert (stored(batch), audited()) == (whole, 1)


def test_a_draft_that_is_deleted_meanwhile_is_gone() -> None:
    _, batch = drafted()
    with pytest.raises(LayoutError, match="gone"):
        in_portions(batch, lambda: delete_batch(batch, actor=None))
    assert not Item.objects.exists()


def test_what_was_cleared_meanwhile_is_written_anew() -> None:
    _, batch = drafted()
    whole = expected(batch)
    in_portions(batch, lambda: part.clear_unfinished_layout(batch), at=3)
    assert (stored(batch), audited()) == (whole, 1)


def answers(client: Client, batch: Batch) -> dict[str, object]:
    """What a lead gets at every address of the collection and of the draft, of pages and of the API; but of a new
    draft, which proposes another seed each time."""
    patterns = get_resolver().reverse_dict
    names = sorted(name for name in patterns if isinstance(name, str))
    arguments = {"slug": batch.collection.slug, "token": batch.token}
    replies: dict[str, object] = {}
    for name in names:
        wanted = set(patterns.getlist(name)[0][0][0][1])
        if {"slug"} <= wanted <= arguments.keys() and name != "batch_new":
            answer = client.get(reverse(name, kwargs={key: arguments[key] for key in wanted}))
            replies[name] = answer.status_code, b"" if answer.streaming else CHANCE.sub(b"", answer.content)
    return replies


@pytest.mark.alike("what hides it is the same condition in every query; all pages are asked there by another walk")
@pytest.mark.usefixtures("noon")
def test_nobody_sees_half_a_layout(client: Client) -> None:
    lead = make_user("lead")
    campaign = make_campaign(make_collection("bees", admin=lead))
    client.force_login(lead)
    worked = campaign.draft(name="worked")
    lay_out(worked, actor=None)
    open_batch(worked, actor=None)
    batch = campaign.draft(name="on its way", annotators=campaign.annotators[:3])
    before, rows = answers(client, batch), outgoing(batch)
    cut_short(batch, at=4)
    assert Slot.objects.filter(batch=batch).exists()
    assert Planting.objects.filter(item__batch=batch).exists()
    after = answers(client, batch)
    assert [name for name in before if before[name] != after[name]] == []
    assert len(before) > 100
    assert outgoing(batch) == rows


def outgoing(batch: Batch) -> list[int]:
    """Rows of a bundle."""
    transfer = Transfer.out_of(batch.collection)
    return [each(transfer).outgoing().count() for each in (Batches, Items, Slots)]


def test_cards_come_as_if_half_a_layout_were_not_there() -> None:
    campaign = make_campaign()
    elsewhere, batch = campaign.draft(name="elsewhere"), campaign.draft(name="on its way")
    lay_out(elsewhere, actor=None)
    open_batch(elsewhere, actor=None)
    without = handed(elsewhere)
    cut_short(batch, at=4)
    assert handed(elsewhere) == without
    assert claim_next(batch.participations.all()[0], moment=NOW) is None


def handed(batch: Batch) -> list[int]:
    """The items that one person is given, one after another; they are given back."""
    person, items = batch.participations.order_by("pk")[0], list[int]()
    with transaction.atomic():
        while card := claim_next(person, moment=NOW):
            record_judgment(person, token=card.token, grade=1, moment=NOW)
            items.append(card.assignment.item_id)
        transaction.set_rollback(True)
    return items
