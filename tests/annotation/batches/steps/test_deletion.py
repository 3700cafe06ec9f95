"""Deleting a batch in portions: out of sight from the first moment, gone on with by the worker."""

import pytest
from django.urls import reverse

from annotation.batches.read.qualifications import asking_batches
from annotation.batches.steps import deletion
from annotation.batches.steps.batches import BatchError, open_batch
from annotation.batches.steps.deletion import delete_batch, sweep_deleted
from annotation.batches.steps.layout import LayoutError, lay_out
from annotation.batches.steps.layout.rows import read_material
from annotation.batches.steps.qualifications import delete_qualification, redraft_qualification
from annotation.corpus.read.pools import pools_of
from annotation.corpus.steps.pooling import PoolError, delete_pool
from annotation.corpus.steps.scales import why_number_of_grades_is_fixed
from annotation.exchange.read.bundles import Transfer
from annotation.exchange.steps.bundles.parts.batches import Items, Slots
from annotation.gold.read.supply import gold_to_come
from annotation.home.read.jobs import batch_worked_on
from annotation.judging.steps.kept import let_go_in
from annotation.kernel.jobs import enqueue
from annotation.kernel.visible import visible_batches
from annotation.models import AuditEvent, Batch, Block, Item, Participation, Planting, Slot, StockItem
from annotation.people.read.information import batches_asking_for, version_rows
from annotation.people.steps.information import revise_information
from tests.annotation.batches.steps.layout.portions import KEYS, KilledError, killed, make_portions_small
from tests.annotation.batches.steps.layout.reserving import reserve
from tests.annotation.callers import caller
from tests.annotation.campaign import Campaign, make_campaign
from tests.annotation.qualified import make_round
from tests.annotation.roles import make_people

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    make_portions_small(monkeypatch)


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(make_people().collection)


def laid_out(campaign: Campaign) -> Batch:
    batch = campaign.draft(name="large")
    lay_out(batch, actor=None)
    return batch


def cut_short(batch: Batch, monkeypatch: pytest.MonkeyPatch, *, n_portions: int) -> None:
    asked = iter(range(n_portions + 1))

    def until_killed() -> bool:
        if next(asked) == n_portions:
            killed()
        return True

    with monkeypatch.context() as killing:
        killing.setattr(deletion, "always", until_killed)
        with pytest.raises(KilledError):
            delete_batch(batch, actor=None)


def nothing_is_left() -> bool:
    return not any(model._default_manager.exists() for model in (Batch, Item, Slot, StockItem, Planting, Block))


@pytest.mark.parametrize("n_portions", [0, 1, 3])
def test_what_is_cut_short_is_out_of_sight_and_the_worker_goes_on(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, n_portions: int
) -> None:
    batch = laid_out(campaign)
    n_items = Item.objects.count()
    cut_short(batch, monkeypatch, n_portions=n_portions)
    assert n_items - Item.objects.count() == KEYS * n_portions
    assert not visible_batches(batch.collection).exists()
    assert not Participation.objects.exists()
    assert AuditEvent.objects.get(verb="batch deleted").subject == "large"
    assert (sweep_deleted(), nothing_is_left(), sweep_deleted()) == (1, True, 0)


def test_no_page_and_no_bundle_has_what_is_on_its_way_out() -> None:
    people = make_people()
    campaign = make_campaign(people.collection)
    batch = laid_out(campaign)
    delete_batch(batch, actor=None, within=0)
    assert Item.objects.exists()
    client = people.client("admin")
    for name in ("batch", "batch_dry_run", "batch_health"):
        assert client.get(reverse(name, args=["bees", batch.token])).status_code == 404, name
    assert batch.token not in client.get(reverse("batches", args=["bees"])).text
    transfer = Transfer.out_of(people.collection)
    assert not transfer.batches
    assert [part(transfer).outgoing().count() for part in (Items, Slots)] == [0, 0]
    assert sweep_deleted() == 1


def test_what_it_was_made_with_is_free() -> None:
    people = make_people()
    campaign = make_campaign(people.collection)
    asked = make_round(people.collection)
    information = revise_information(people.collection, text="Told.", based_on=0, actor=None)
    batch = campaign.draft(name="large", qualification=asked, information=information)
    lay_out(batch, actor=None)
    assert "laid out" in why_number_of_grades_is_fixed(people.collection)
    delete_batch(batch, actor=None, within=0)
    assert "laid out" not in why_number_of_grades_is_fixed(people.collection)  # gold keeps it as it is
    client = people.client("admin")
    pool = reverse("pool", args=["bees", campaign.pool.pk])
    assert "deleting-" not in client.get(pool).text
    assert pools_of(people.collection).get().n_batches == 0  # type: ignore[attr-defined]
    assert caller(people.admin).get(reverse("api_pool", args=["bees", campaign.pool.pk])).json()["n_batches"] == 0
    assert [row.batches for row in version_rows(people.collection)] == [[]]
    assert not batches_asking_for(information)
    assert not asking_batches(asked)
    redraft_qualification(asked, actor=None)
    delete_qualification(asked, actor=None)
    with pytest.raises(PoolError, match="cleared"):
        delete_pool(campaign.pool, actor=None)
    sweep_deleted()
    delete_pool(campaign.pool, actor=None)


def test_the_job_that_laid_it_out_names_it_no_more(campaign: Campaign) -> None:
    batch = laid_out(campaign)
    job = enqueue("lay_out", collection=batch.collection, created_by=None, batch=batch.token)
    assert batch_worked_on(job) == batch
    delete_batch(batch, actor=None, within=0)
    assert batch_worked_on(job) is None


def test_gold_that_it_kept_for_people_comes_to_them_elsewhere(campaign: Campaign) -> None:
    """Layouts of before coins kept it for them."""
    first = campaign.draft(name="first", gold_share=0.4)
    lay_out(first, actor=None)
    reserve(first)
    pair = ("reserved_for", "item__topic", "item__document")
    kept = {*Slot.objects.filter(reserved_for__isnull=False, transferable=False).values_list(*pair)}
    second = campaign.draft(name="second", gold_share=0.4)

    def met() -> set[tuple[int, int, int]]:
        return {(person.annotator, *each) for person in read_material(second).people for each in person.met}

    assert kept <= met()
    delete_batch(first, actor=None, within=0)
    assert not kept & met()
    lay_out(second, actor=None)
    reserve(second)
    again = Slot.objects.filter(batch=second, reserved_for__isnull=False, transferable=False)
    n_kept = again.count()
    assert gold_to_come(campaign.collection).count() == again.filter(reading=1, item__planting__purpose="gold").count()
    let_go_in(second)
    assert again.count() == n_kept > 0


def test_its_name_is_free_and_others_work_meanwhile(campaign: Campaign) -> None:
    delete_batch(laid_out(campaign), actor=None, within=0)
    second = laid_out(campaign)
    open_batch(second, actor=None)
    n_slots = Slot.objects.filter(batch=second).count()
    assert sweep_deleted() == 1
    assert (Batch.objects.get(), Slot.objects.count()) == (second, n_slots)


def test_what_is_on_its_way_out_is_not_deleted_twice_nor_laid_out_nor_opened(campaign: Campaign) -> None:
    batch = laid_out(campaign)
    delete_batch(batch, actor=None, within=0)
    for step in (delete_batch, open_batch):
        with pytest.raises(BatchError):
            step(batch, actor=None)
    with pytest.raises(LayoutError, match="gone"):
        lay_out(batch, actor=None)
    assert AuditEvent.objects.filter(verb="batch deleted").count() == 1
