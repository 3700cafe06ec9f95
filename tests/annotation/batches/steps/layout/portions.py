"""A layout in small portions, cut short where a test wants it, and what is stored of it."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.batches.steps.layout import lay_out, part
from annotation.batches.steps.layout.laying_out import Unwatched, lay_out_in_portions
from annotation.models import AuditEvent, Batch, Block, Item, Planting, Slot, StockItem
from tests.annotation.campaign import Campaign, make_campaign

ROWS, KEYS = 30, 7  # a portion that is written, and one that is cleared


def make_portions_small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ROWS", "ROWS_UNDER_LOCK"):
        monkeypatch.setattr(part, name, ROWS)
    for name in ("BLOCKS", "BLOCKS_UNDER_LOCK"):
        monkeypatch.setattr(part, name, 2)
    monkeypatch.setattr(part, "KEYS", KEYS)


class KilledError(BaseException):
    """Nothing catches it: as if the process were gone."""


class Watch(Unwatched):
    """Does something before the n-th portion of items, from 0."""

    def __init__(self, deed: Callable[[], object], *, at: int) -> None:
        self.deed, self.at, self.n = deed, at, 0

    def report(self, *, done: int, total: int, message: str = "") -> None:
        self.n += 1
        if self.n == self.at + 1:
            self.deed()


def killed() -> None:
    raise KilledError


def in_portions(batch: Batch, deed: Callable[[], object] | None = None, *, at: int = 2) -> None:
    lay_out_in_portions(batch, actor=None, watch=Watch(deed, at=at) if deed else Unwatched())


def cut_short(batch: Batch, *, at: int = 2) -> None:
    with pytest.raises(KilledError):
        in_portions(batch, killed, at=at)


def stored(batch: Batch) -> list[list[tuple[object, ...]]]:
    """All that a layout stores, in the order in which it does, but for keys, tokens and the time."""
    pair = ("item__topic__number", "item__document__docno")
    mine = {"batch": batch}
    return [
        list(Item.objects.filter(**mine).order_by("pk").values_list(*[name.removeprefix("item__") for name in pair],
             "topic_version", "document_version", "scale", "block", "shuffle", "stratum", "n_judged", "withheld")),
        list(Slot.objects.filter(**mine).order_by("pk").values_list(*pair, "n", "block", "state", "reserved_for", "due",
             "transferable", "reading")),
        list(StockItem.objects.filter(**mine).order_by("pk").values_list(*pair, "topic__number", "strand")),
        list(Planting.objects.filter(item__batch=batch).order_by("pk").values_list(*pair, "purpose", "in_pool")),
        list(Block.objects.filter(**mine).order_by("number").values_list("number", "topic__number", "n_open",
             "n_transferable", "n_freed", "begun")),
        list(Batch.objects.filter(pk=batch.pk).values_list("state", "n_expected", "coin_shares")),
    ]  # fmt: skip


def back_to_draft(batch: Batch) -> None:
    Batch.objects.filter(pk=batch.pk).update(state="draft", laid_out_at=None, n_expected=0, coin_shares=None)
    AuditEvent.objects.filter(verb="batch laid out").delete()


def nothing_stored(batch: Batch) -> bool:
    return Batch.objects.get(pk=batch.pk).state == "draft" and not any(stored(batch)[:5])


def audited() -> int:
    return AuditEvent.objects.filter(verb="batch laid out").count()


def expected(batch: Batch) -> list[list[tuple[object, ...]]]:
    """What the draft becomes when nothing comes between; it is a draft again then."""
    lay_out(batch, actor=None)
    whole = stored(batch)
    back_to_draft(batch)
    part.clear_unfinished_layout(batch)
    assert nothing_stored(batch)
    return whole


def drafted(**settings: Any) -> tuple[Campaign, Batch]:
    campaign = make_campaign()
    return campaign, campaign.draft(check_share=0.1, **settings)
