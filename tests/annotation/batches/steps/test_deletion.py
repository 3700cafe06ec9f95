"""Deleting a batch in portions: out of sight from the first moment, gone on with by the worker."""

import pytest
from django.urls import reverse

from annotation.batches.steps import deletion
from annotation.batches.steps.batches import BatchError, open_batch
from annotation.batches.steps.deletion import delete_batch, sweep_deleted
from annotation.batches.steps.layout import LayoutError, lay_out
from annotation.exchange.read.bundles import Transfer
from annotation.exchange.steps.bundles.parts.batches import Items, Slots
from annotation.kernel.visible import visible_batches
from annotation.models import AuditEvent, Batch, Block, Item, Participation, Planting, Slot, StockItem
from tests.annotation.batches.steps.layout.portions import KEYS, KilledError, killed, make_portions_small
from tests.annotation.campaign import Campaign, make_campaign
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
    with pytest.raises(LayoutError):
        lay_out(batch, actor=None)
    assert AuditEvent.objects.filter(verb="batch deleted").count() == 1
