"""Pools; batches, who takes part in them, and the items laid out, with the slots for judgments."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When
from django.db.models.functions import Coalesce

from annotation.exchange.steps.bundles.parts.part import Part
from annotation.exchange.steps.bundles.parts.references import (
    ANNOTATOR,
    BATCH,
    DOCUMENT,
    DOCUMENT_VERSION,
    INFORMATION,
    ITEM,
    POOL,
    QUALIFICATION,
    SCALE,
    TOPIC,
    TOPIC_VERSION,
    ListReference,
    Reference,
)
from annotation.exchange.steps.bundles.parts.tables import insert
from annotation.exchange.steps.bundles.parts.texts import with_sanitised_texts
from annotation.formats.bundle.rows import BatchRow, ItemRow, ParticipationRow, PoolPairRow, PoolRow, SlotRow
from annotation.kernel.visible import laid_out, published, visible_pools
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    Item,
    Participation,
    Planting,
    Policy,
    Pool,
    PoolPair,
    Slot,
    StockItem,
)
from annotation.quality.overlap import OverlapRule
from annotation.quality.settings import SettingError

ROUNDING = 1e-9
_STEERING = {"steering_policy": "name", "steering_version": "version"}


def _coin_fault(shares: Sequence[float] | None) -> str:
    """Of gold, checks, wanted pairs and repeats. Half of the pairs that are wanted are the most that coins bring."""
    if shares is None:
        return ""
    if len(shares) != StockItem.AGAIN + 1:
        return f"coin_shares are {StockItem.AGAIN + 1} numbers, not {len(shares)}"
    planted = sum(shares) - shares[StockItem.WANTED]
    if not (min(shares) >= 0 and planted < 1 and shares[StockItem.WANTED] <= (1 - planted) / 2 + ROUNDING):
        return (
            "coin_shares are parts of all cards: those of gold, checks and repeats less than all, "
            "and the third at most half of the rest"
        )
    return ""


def _steering_fault(row: BatchRow) -> str:
    steering = (row.most_judgments, row.target_probability, row.steering_policy, row.steering_version)
    if all(value is None for value in steering):
        return ""
    if row.most_judgments is None or row.target_probability is None or None in steering:
        names = "most_judgments, target_probability, steering_policy and steering_version"
        return f"{names} are told together or not at all"
    try:
        OverlapRule(row.judgments_per_item, row.most_judgments, row.target_probability)
    except SettingError as error:
        return str(error)
    return ""


class Pools(Part[PoolRow]):
    name, row, model = "pools", PoolRow, Pool

    def outgoing(self) -> "QuerySet[Pool]":
        return visible_pools(self.collection)


class PoolPairs(Part[PoolPairRow]):
    name, row, model = "pool_pairs", PoolPairRow, PoolPair
    references = (POOL, TOPIC, DOCUMENT)

    def outgoing(self) -> "QuerySet[PoolPair]":
        return self.table(self.collection).filter(published("pool__"))


class Batches(Part[BatchRow]):
    """A batch without a pool is one that an import has brought: here it is the bundle's."""

    name, row, model = "batches", BatchRow, Batch
    references = (
        POOL,
        SCALE,
        replace(INFORMATION, what="information"),
        replace(QUALIFICATION, what="qualification"),
        Reference("steered_by", Policy, _STEERING, "policy"),
    )
    lists = (ListReference("topics", TOPIC, Batch.topics.through, "batch"),)

    def outgoing(self) -> "QuerySet[Batch]":
        return Batch.objects.filter(pk__in=self.transfer.batches)

    def fault(self, row: BatchRow) -> str:
        """Whether the settings of how many judgments a pair may get contradict each other, or coins those of cards."""
        return _coin_fault(row.coin_shares) or _steering_fault(row)

    def further_columns(self, rows: Sequence[BatchRow]) -> dict[str, object]:
        return {"brought_by": [None if row.pool else self.transfer.record for row in rows]}


class Participations(Part[ParticipationRow]):
    name, row, model = "participations", ParticipationRow, Participation
    references = (ANNOTATOR, BATCH)


class Items(Part[ItemRow]):
    name, row, model = "items", ItemRow, Item
    references = (TOPIC, DOCUMENT, BATCH, SCALE, TOPIC_VERSION, DOCUMENT_VERSION)
    paths = {
        "purpose": Coalesce("planting__purpose", Value("")),
        "in_pool": Coalesce("planting__in_pool", Value(False)),  # noqa: FBT003 -- an SQL value
        "strand": "stock__strand",
    }

    def outgoing(self) -> "QuerySet[Any]":
        return super().outgoing().filter(laid_out())

    def insert(self, rows: Sequence[ItemRow]) -> list[Any]:
        items = super().insert(with_sanitised_texts(rows, self.transfer.sanitised))
        planted = [(item, row) for item, row in zip(items, rows, strict=True) if row.purpose]
        names, columns = ("purpose", "in_pool"), {"item": [item for item, _ in planted]}
        insert(Planting, [row for _, row in planted], names, columns)
        stock = [(item, row) for item, row in zip(items, rows, strict=True) if row.strand is not None]
        placed = {"item": [item for item, _ in stock]}
        placed |= {name: [getattr(item, name) for item, _ in stock] for name in ("batch_id", "topic_id")}
        insert(StockItem, [row for _, row in stock], ("strand",), placed)
        return items


class Slots(Part[SlotRow]):
    """A lease does not travel: a slot is judged or open."""

    name, row, model = "slots", SlotRow, Slot
    references = (
        BATCH,
        ITEM,
        Reference("reserved_for", Annotator, {"reserved_for": "pseudonym"}, "annotator"),
    )
    paths = {"state": "bundle_state"}

    def outgoing(self) -> "QuerySet[Any]":
        judged = Assignment.objects.filter(
            self.transfer.has_judgment(), slot=OuterRef("pk"), state=Assignment.State.JUDGED
        )  # fmt: skip
        state = Case(When(Exists(judged), then=Value("judged")), default=Value("open"))
        table: QuerySet[Any] = super().outgoing().filter(laid_out()).annotate(bundle_state=state)
        return table
