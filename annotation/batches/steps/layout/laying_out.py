"""Writing a plan down: items, plantings and slots of a draft batch, in one transaction."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from annotation.batches.read.batches import seconds_per_judgment
from annotation.batches.steps.layout.forecast import DryRun, forecast
from annotation.batches.steps.layout.material import Kind, Material, PlannedItem, PlannedSlot
from annotation.batches.steps.layout.planning import Plan, plan_layout
from annotation.batches.steps.layout.rows import read_material, wanted_of
from annotation.corpus.read.texts import current_document_versions, current_topic_versions
from annotation.judging.steps.kept import let_go_elsewhere
from annotation.kernel.audit import record_audit
from annotation.kernel.blocks import recount_blocks
from annotation.kernel.bulk_rows import insert, portions, tell_planner
from annotation.models import Batch, Block, Item, Planting, Qualification, Slot, StockItem, User
from annotation.text.counted import counted

CHUNK = 1000
PURPOSES = {Kind.GOLD: Planting.Purpose.GOLD, Kind.CHECK: Planting.Purpose.CHECK}


class LayoutError(Exception):
    """The batch cannot be laid out; the message says why."""


def dry_run(batch: Batch) -> DryRun:
    """What laying the batch out now would give. Stores nothing."""
    return _plan_and_forecast(batch)[1]


@transaction.atomic
def lay_out(batch: Batch, *, actor: User | None) -> DryRun:
    """Turn a draft into items and slots. Raises `LayoutError`, leaving the draft as it was."""
    drafts = Batch.objects.select_for_update(of=("self",), no_key=True)
    batch = drafts.select_related("collection", "scale").get(pk=batch.pk)
    require_draft(batch)
    plan, result = _plan_and_forecast(batch)
    if result.errors:
        raise LayoutError(" ".join(result.errors))
    _store(batch, plan)
    recount_blocks(batch)
    tell_planner(Item, Slot, Block, StockItem)
    batch.state, batch.laid_out_at, batch.n_expected = Batch.State.LAID_OUT, timezone.now(), result.n_judgments
    batch.coin_shares = wanted_of(batch).coin_shares
    batch.save(update_fields=["state", "laid_out_at", "n_expected", "coin_shares"])
    record_audit(
        "batch laid out",
        actor=actor,
        collection=batch.collection,
        subject=batch.name,
        items=result.n_items,
        judgments=result.n_judgments,
        seed=batch.seed,
    )
    let_go_elsewhere(batch)  # last: people who judge in other batches wait from here on
    return result


def require_draft(batch: Batch) -> None:
    """Raises `LayoutError` for a batch that cannot be laid out any more."""
    if batch.brought_by_id is not None:
        raise LayoutError("The judgments of this batch were made elsewhere.")
    if batch.state != Batch.State.DRAFT:
        raise LayoutError("This batch has been laid out already.")


def store_slots(batch: Batch, slots: Iterable[PlannedSlot], items: Sequence[Item], *, first_n: Counter[int]) -> None:
    """Write planned slots. `first_n`: how many slots items have already, by item id."""
    n = Counter(first_n)
    rows = []
    for slot in slots:
        item = items[slot.item]
        rows.append(
            Slot(
                collection_id=batch.collection_id,
                batch=batch,
                item=item,
                n=n[item.pk],
                block=slot.block,
                reserved_for_id=slot.reserved_for,
                due=slot.due,
                transferable=slot.transferable,
                reading=slot.reading,
            )
        )
        n[item.pk] += 1
    Slot.objects.bulk_create(rows, batch_size=CHUNK)


def _plan_and_forecast(batch: Batch) -> tuple[Plan, DryRun]:
    material: Material = read_material(batch)
    plan = plan_layout(material)
    seconds, is_measured = seconds_per_judgment(batch.collection, minimum=batch.minimum_seconds)
    result = forecast(plan, material, seconds=seconds, seconds_known=is_measured)
    return plan, replace(result, errors=(*result.errors, *_faults_of_round(batch.qualification)))


def _faults_of_round(qualification: Qualification | None) -> Iterator[str]:
    """The layout leaves the pairs of the round out: they must stand still by then."""
    if qualification is not None and qualification.state == Qualification.State.DRAFT:
        yield f"The qualification round {qualification.name} is a draft. Open it first: its pairs are left out here."


def _store(batch: Batch, plan: Plan) -> None:
    """The items in the plan's order, texts and scale pinned, why they are there, the stock, and the slots wanted."""
    pinned = _pinned(batch, plan.items)
    for portion in portions(plan.items):
        items = [_item(batch, each, *pinned) for each in portion]
        insert(items)
        Planting.objects.bulk_create(_plantings(items, portion))
        StockItem.objects.bulk_create(_stock(items, portion))
        insert(list(_slots(items, portion, plan.judgments_per_item)))


def _pinned(batch: Batch, planned: Sequence[PlannedItem]) -> tuple[dict[int, int], dict[int, int]]:
    """The current texts of topics and of documents, by their ids. Raises `LayoutError` where one is gone."""
    topics, documents = _pinned_topics(batch), _pinned_documents(batch, planned)
    if n_missing := len({item.topic for item in planned} - topics.keys()):
        raise LayoutError(f"{counted(n_missing, 'topic of the pool has', 'topics of the pool have')} no text any more.")
    if n_missing := len({item.document for item in planned} - documents.keys()):
        texts = counted(n_missing, "text of the pool is", "texts of the pool are")
        raise LayoutError(f"{texts} not in the collection any more.")
    return topics, documents


def _item(batch: Batch, planned: PlannedItem, topics: Mapping[int, int], documents: Mapping[int, int]) -> Item:
    return Item(
        collection_id=batch.collection_id,
        batch=batch,
        topic_id=planned.topic,
        document_id=planned.document,
        topic_version_id=topics[planned.topic],
        document_version_id=documents[planned.document],
        scale_id=batch.scale_id,
        block=planned.block,
        shuffle=planned.shuffle,
        stratum=planned.stratum,
    )


def _stock(items: Sequence[Item], planned: Sequence[PlannedItem]) -> Iterator[StockItem]:
    for item, plan in zip(items, planned, strict=True):
        if plan.strand is not None:
            yield StockItem(item=item, batch_id=item.batch_id, topic_id=item.topic_id, strand=plan.strand)


def _slots(items: Sequence[Item], planned: Sequence[PlannedItem], n_of_each: int) -> Iterator[Slot]:
    for item, plan in zip(items, planned, strict=True):
        for n in range(n_of_each if plan.kind is Kind.ORDINARY else 0):
            yield Slot(collection_id=item.collection_id, batch_id=item.batch_id, item_id=item.pk, n=n, block=item.block)


def _plantings(items: Sequence[Item], planned: Sequence[PlannedItem]) -> Iterator[Planting]:
    for item, plan in zip(items, planned, strict=True):
        if plan.kind in PURPOSES:
            yield Planting(item=item, purpose=PURPOSES[plan.kind], in_pool=plan.in_pool)


def _pinned_topics(batch: Batch) -> dict[int, int]:
    current = current_topic_versions(batch.collection).filter(topic__in=batch.topics.values("pk"))
    return dict(current.values_list("topic_id", "pk"))


def _pinned_documents(batch: Batch, planned: Sequence[PlannedItem]) -> dict[int, int]:
    """The current text of each document, by document."""
    ids = sorted({item.document for item in planned})
    current = current_document_versions(batch.collection).values_list("document_id", "pk")
    versions: dict[int, int] = {}
    for start in range(0, len(ids), CHUNK):
        versions.update(current.filter(document__in=ids[start : start + CHUNK]))
    return versions
