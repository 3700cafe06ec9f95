"""What a person's coins bring in the block they are in: slots kept for them, each due at exactly its card.

Coins are thrown for a whole visit at once: a slot that was made together with its card would cost more than others. A
visit has as many cards as there are pairs that the person may take in the block when they come, whatever the coins
bring; what is left is for another visit. So the last card of a visit is brought by a coin as often as any other. What
is kept and was never handed out goes back. The stock says which items there are, and not why (`StockItem`).
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from annotation.judging.steps.coins import by_chance, deal
from annotation.judging.steps.next_slot import (
    ANNOTATOR,
    BATCH,
    BLOCK,
    PRIME,
    PUT_OFF,
    SHARED,
    assignments_of_item,
    free_slots,
    own_order,
)
from annotation.judging.steps.workspace import Workspace
from annotation.models import (
    Assignment,
    Batch,
    Block,
    Feedback,
    Item,
    Participation,
    QualificationAnswer,
    Slot,
    StockItem,
)
from annotation.models.prepared import KEY, Blank, Values

TOPIC, STRAND = Blank("topic", KEY), Blank("strand", KEY)
FEW = 64
FIRST_N = 1 << 20  # slots that are made as they are due are numbered from here on
MADE = range(StockItem.WANTED)  # strands that a slot is made of for each person


def throw_coins(workspace: Workspace) -> None:
    """Throw the coins of a visit to the block, and keep what they bring for the person."""
    person = workspace.participation
    assert person.block is not None
    give_back(workspace, person.block)
    first = workspace.done
    person.thrown = first + len(_LEFT.rows(**workspace.values))
    person.save(update_fields=["thrown"])
    if any(shares := person.batch.coin_shares or ()):
        _keep(workspace, range(first, person.thrown), shares)


def give_back(workspace: Workspace, block: int) -> None:
    """What is kept for the person in the block and was never handed out. What another claim looks at stays as it is."""
    rows = _KEPT.rows(**{**workspace.values, "block": block})
    transferable = {pk: withheld for pk, is_transferable, withheld in rows if is_transferable}
    if len(transferable) < len(rows):
        Slot.objects.filter(pk__in=[pk for pk, *_ in rows if pk not in transferable]).delete()
    if transferable:
        Slot.objects.filter(pk__in=transferable).update(reserved_for=None, due=None, transferable=False)
        change, n = workspace.blocks.of(block), sum(not withheld for withheld in transferable.values())
        change.n_open, change.n_transferable = change.n_open + n, change.n_transferable - n


def _keep(workspace: Workspace, dues: range, shares: Sequence[float]) -> None:
    [[topic, block, n_pairs, n_met]] = _TOPIC.rows(**workspace.values)
    values = {**workspace.values, "topic": topic}
    stock = {strand: _STOCK.rows(**values, strand=strand) for strand in MADE}
    person = workspace.participation
    dealt = deal(
        person.salt,
        block=block,
        n_pairs=n_pairs,
        shares=shares,
        supply={strand: len(rows) for strand, rows in stock.items()},
    )
    dues_of: dict[int, list[int]] = {}
    for due in dues:
        if (strand := dealt.get(n_met + due - dues.start)) is not None:
            dues_of.setdefault(strand, []).append(due)
    made = []
    for strand in sorted(dues_of.keys() - {StockItem.WANTED}):
        again = strand == StockItem.AGAIN
        rows = _AGAIN.rows(**values) if again else [row for *row, is_met in stock[strand] if not is_met]
        served = _served(workspace, dues_of[strand], rows)
        made += [_made(workspace, due, item, own, 1 + again) for due, (item, own) in served]
    Slot.objects.bulk_create(made, ignore_conflicts=True)
    if wanted := dues_of.get(StockItem.WANTED):
        _keep_wanted(workspace, wanted)


def _served(workspace: Workspace, dues: list[int], rows: Sequence[list[int]]) -> "zip[tuple[int, list[int]]]":
    person = workspace.participation
    assert person.block is not None
    chosen = by_chance(dues, len(rows), salt=person.salt, block=person.block)
    return zip(chosen, rows[: len(chosen)], strict=True)


def _made(workspace: Workspace, due: int, item: int, own: int, reading: int) -> Slot:
    """A slot for the person alone. Numbered by the item's place in their order, which is another for each person."""
    person = workspace.participation
    assert person.block is not None
    return Slot(
        collection_id=person.batch.collection_id,
        batch_id=person.batch_id,
        item_id=item,
        n=FIRST_N + own % (PRIME - FIRST_N),
        block=person.block,
        reserved_for_id=person.annotator_id,
        due=due,
        reading=reading,
    )


def _keep_wanted(workspace: Workspace, dues: list[int]) -> None:
    """One open slot of each of so many items, as far as there are any."""
    slot_of: dict[int, int] = {}
    for slot, item in _OPEN_STOCK.rows(**workspace.values):
        slot_of.setdefault(item, slot)
    rows = [[slot] for slot in slot_of.values()]
    due_of = {slot: due for due, (slot,) in _served(workspace, dues, rows)}
    free = Slot.objects.filter(pk__in=due_of, state=Slot.State.OPEN, reserved_for__isnull=True)
    kept = list(free.select_for_update(skip_locked=True))
    for slot in kept:
        slot.reserved_for_id, slot.due = workspace.participation.annotator_id, due_of[slot.pk]
        slot.transferable = True
        change = workspace.blocks.of(slot.block)
        change.n_open, change.n_transferable = change.n_open - 1, change.n_transferable + 1
    if kept:
        Slot.objects.bulk_update(kept, ["reserved_for", "due", "transferable"])


def _topic() -> "QuerySet[Block, tuple[int, int, int, int]]":
    """Of the person's block: topic, the topic's first block, its ordinary pairs, how many of its cards they had."""
    blocks = Block.objects.filter(batch=BATCH, topic=OuterRef("topic")).order_by("number")
    pairs = Item.objects.filter(Exists(Slot.objects.filter(item=OuterRef("pk"), n=0)), batch=BATCH)
    met = Assignment.objects.filter(batch=BATCH, annotator=ANNOTATOR)
    here = Block.objects.filter(batch=BATCH, number=BLOCK)
    return here.values_list(
        "topic",
        Subquery(blocks.values("number")[:1]),
        _count(pairs.filter(topic=OuterRef("topic")).values("topic")),
        _count(met.filter(item__topic=OuterRef("topic")).values("item__topic")),
    )


def _count(grouped: "QuerySet[Any, Any]") -> Coalesce:
    return Coalesce(Subquery(grouped.order_by().annotate(n=Count("pk")).values("n")), 0)


def _left() -> "QuerySet[Slot, tuple[int]]":
    """The items of the block that the person may take now."""
    return free_slots(PUT_OFF).filter(SHARED, block=BLOCK, reading=1).values_list("item").distinct()


def _kept() -> "QuerySet[Slot, tuple[int, bool, bool]]":
    """Of the block, but for what the person has put off or let lapse: that comes back to them."""
    handed = assignments_of_item().filter(reading=OuterRef("reading"), state__in=[*PUT_OFF, Assignment.State.LEASED])
    withheld = Item.objects.filter(pk=OuterRef("item")).values("withheld")
    kept = Slot.objects.filter(~Exists(handed), batch=BATCH, block=BLOCK, reserved_for=ANNOTATOR, state="open")
    locked = kept.annotate(withheld=Subquery(withheld)).select_for_update(skip_locked=True)
    return locked.values_list("pk", "transferable", "withheld")


def _stock() -> "QuerySet[StockItem, tuple[int, int, int]]":
    """Of the strand, what of the topic is for the person: what they are not to meet elsewhere and know no answer of,
    and 1 where they have met it here. What has the fewest judgments comes first, so that all is used alike.
    """
    pair = {"item__topic": OuterRef("topic"), "item__document": OuterRef("item__document")}
    here = Assignment.objects.filter(annotator=ANNOTATOR, item=OuterRef("item"))
    met = Assignment.objects.filter(annotator=ANNOTATOR, **pair)
    live = Slot.objects.filter(**pair).exclude(batch__state=Batch.State.CLOSED)
    kept = live.filter(reserved_for=ANNOTATOR, transferable=False)
    takes_part = Participation.objects.filter(batch=OuterRef("batch"), annotator=ANNOTATOR, is_active=True)
    elsewhere = live.filter(SHARED, Exists(takes_part)).exclude(batch=BATCH).exclude(state=Slot.State.JUDGED)
    answered = QualificationAnswer.objects.filter(
        attempt__annotator=ANNOTATOR,
        item__topic_version__topic=OuterRef("topic"),
        item__document_version__document=OuterRef("item__document"),
    )
    unmet = ~Exists(met) & ~Exists(kept) & ~Exists(elsewhere) & ~Exists(answered)
    stock = StockItem.objects.filter(batch=BATCH, topic=TOPIC, strand=STRAND, item__withheld=False)
    is_met = Case(When(Exists(here), then=Value(1)), default=Value(0))
    ordered = _in_own_order(stock.filter(Exists(here) | unmet), "item__n_judged")
    rows: QuerySet[StockItem, tuple[int, int, int]] = ordered.values_list("item", "own", is_met)
    return rows


def _again() -> "QuerySet[Assignment, tuple[int, int]]":
    """What the person has judged in another block of the topic, and neither again nor been told of."""
    shared = Q(slot__reserved_for__isnull=True) | Q(slot__transferable=True)
    again = Slot.objects.filter(item=OuterRef("item"), reserved_for=ANNOTATOR, reading=2)
    told = Feedback.objects.filter(assignment=OuterRef("pk"))
    judged = Assignment.objects.filter(shared, ~Exists(again), ~Exists(told), item__topic=TOPIC, item__withheld=False)
    judged = judged.filter(batch=BATCH, annotator=ANNOTATOR, reading=1, state=Assignment.State.JUDGED)
    ordered = _in_own_order(judged.exclude(slot__block=BLOCK))
    rows: QuerySet[Assignment, tuple[int, int]] = ordered.values_list("item", "own")[:FEW]
    return rows


def _open_stock() -> "QuerySet[Slot, tuple[int, int]]":
    slots = Slot.objects.filter(batch=BATCH, block=BLOCK, state="open", reserved_for__isnull=True, reading=1)
    slots = slots.filter(~Exists(assignments_of_item()), item__withheld=False, item__stock__strand=StockItem.WANTED)
    return slots.annotate(own=own_order(F("item__shuffle"))).order_by("own", "n").values_list("pk", "item")


def _in_own_order(rows: "QuerySet[Any]", *before: str) -> Any:
    return rows.annotate(own=own_order(F("item__shuffle"))).order_by(*before, "own")


_TOPIC, _LEFT, _KEPT = Values(_topic), Values(_left), Values(_kept)
_STOCK, _AGAIN, _OPEN_STOCK = Values(_stock), Values(_again), Values(_open_stock)
