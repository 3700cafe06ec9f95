"""What a person's coins bring in the block they are in: slots kept for them, each due at exactly its card.

Coins are thrown for a whole visit at once: a slot that was made together with its card would take
longer than others, and give it away. A visit has a card for each pair that the person may take in
the block when they come, and one for each that comes from the stock beside them. Its length bounds
how many come from the stock, and never says which. What is kept and was never handed out goes back.
The stock says which items there are, and not why (`StockItem`).
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from annotation.judging.steps.coins import Strands, deal, rates_of
from annotation.judging.steps.next_slot import (
    ANNOTATOR,
    BATCH,
    BLOCK,
    MINE,
    PRIME,
    PUT_OFF,
    SHARED,
    assignments_of_item,
    free_slots,
    own_order,
)
from annotation.judging.steps.workspace import Workspace
from annotation.kernel.visible import laid_out
from annotation.models import (
    Annotator,
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
from annotation.models.prepared import KEY, Blank, Rows, Values

TOPIC, STRAND = Blank("topic", KEY), Blank("strand", KEY)
FEW = 64
FIRST_N = 1 << 20  # slots that are made as they are due are numbered from here on
Found: TypeAlias = list[tuple[int, int]]
NOTHING: Sequence[Found] = ([], [], [], [])  # by strand
MADE = range(StockItem.WANTED)  # strands that a slot is made of for each person


def throw_coins(workspace: Workspace) -> None:
    """Throw the coins of a visit to the block, and keep what they bring for the person."""
    person = workspace.participation
    assert person.block is not None
    shares = person.batch.coin_shares or ()
    if any(shares):  # no other batch keeps a pair for them at the same time
        _LOCK_ANNOTATOR.all(annotator=person.annotator_id)
    give_back(workspace, person.block)
    left, first = _LEFT.rows(**workspace.values), workspace.done
    hand = _hand(workspace, shares, n_new=sum(is_new for *_, is_new in left)) if any(shares) and left else NOTHING
    n_beside = sum(len(rows) for strand, rows in enumerate(hand) if strand != StockItem.WANTED)
    cards = range(first, first + len(left) + n_beside)
    dues = deal(person.salt, block=person.block, cards=cards, wanted=[len(rows) for rows in hand])
    beside = {due for strand, each in enumerate(dues) if strand != StockItem.WANTED for due in each}
    person.thrown = cards.stop
    person.pairs_end = max((card + 1 for card in cards if card not in beside), default=cards.stop)
    person.save(update_fields=["thrown", "pairs_end"])
    _keep(workspace, hand, dues)


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


def _hand(workspace: Workspace, shares: Sequence[float], *, n_new: int) -> list[Found]:
    """What the stock gives to the visit, by strand. `n_new`: pairs of the block that the person has not met.

    It is even to the end of the visit, whatever of it came before: where an earlier visit was cut short, this one tells
    nothing of it.
    """
    [[topic, block, n_pairs, n_met, n_met_elsewhere, n_again]] = _TOPIC.rows(**workspace.values)
    values = {**workspace.values, "topic": topic}
    stock = [_STOCK.rows(**values, strand=strand) if shares[strand] else [] for strand in MADE]
    rates = rates_of(shares)
    for strand, rows in enumerate(stock):
        rates[strand] = min(rates[strand], len(rows) / n_pairs)
    even, end = Strands(workspace.participation.salt, block, rates), n_met + n_new
    hand = list[Found]()
    for strand, rows in enumerate(stock):
        n = even.due_by(strand, end) - sum(is_met for *_, is_met in rows)
        hand.append([(item, own) for item, own, is_met in rows if not is_met][: max(0, n)])
    n_wanted = even.due_by(StockItem.WANTED, end) - even.due_by(StockItem.WANTED, n_met)
    n_more = even.due_by(StockItem.AGAIN, end) - even.due_by(StockItem.AGAIN, n_met_elsewhere) - n_again
    again = _AGAIN.rows(**values) if n_more > 0 else []
    return [*hand, _open_slots(workspace, n_wanted), [(item, own) for item, own in again[: max(0, n_more)]]]


def _open_slots(workspace: Workspace, n: int) -> Found:
    """One open slot of each of so many items of the block, as far as there are any: its id and its item."""
    slot_of: dict[int, int] = {}
    for slot, item in _OPEN_STOCK.rows(**workspace.values) if n > 0 else ():
        slot_of.setdefault(item, slot)
    return [(slot, item) for item, slot in slot_of.items()][:n]


def _keep(workspace: Workspace, hand: Sequence[Found], dues: Sequence[Sequence[int]]) -> None:
    slots = [
        _stock_slot(workspace, due, item, own, 1 + (strand == StockItem.AGAIN))
        for strand, rows in enumerate(hand)
        if strand != StockItem.WANTED
        for due, (item, own) in zip(dues[strand], rows, strict=True)
    ]
    Slot.objects.bulk_create(slots, ignore_conflicts=True)
    if wanted := hand[StockItem.WANTED]:
        _keep_wanted(workspace, {slot: due for due, (slot, _) in zip(dues[StockItem.WANTED], wanted, strict=True)})


def _stock_slot(workspace: Workspace, due: int, item: int, own: int, reading: int) -> Slot:
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


def _keep_wanted(workspace: Workspace, due_of: Mapping[int, int]) -> None:
    """By slot, the card at which it comes. What another claim takes meanwhile is theirs."""
    free = Slot.objects.filter(pk__in=due_of, state=Slot.State.OPEN, reserved_for__isnull=True)
    kept = list(free.select_for_update(skip_locked=True))
    for slot in kept:
        slot.reserved_for_id, slot.due = workspace.participation.annotator_id, due_of[slot.pk]
        slot.transferable = True
        change = workspace.blocks.of(slot.block)
        change.n_open, change.n_transferable = change.n_open - 1, change.n_transferable + 1
    if kept:
        Slot.objects.bulk_update(kept, ["reserved_for", "due", "transferable"])


def _topic() -> "QuerySet[Block, tuple[int, int, int, int, int, int]]":
    """Of the person's block: topic, the topic's first block, its pairs, how many of them they have met, and how many in
    other blocks; how many second readings they have met in this one.
    """
    blocks = Block.objects.filter(batch=BATCH, topic=OuterRef("topic")).order_by("number")
    wanted = Exists(Slot.objects.filter(item=OuterRef("item"), n=0))
    pairs = Item.objects.filter(Exists(Slot.objects.filter(item=OuterRef("pk"), n=0)), batch=BATCH)
    mine = Assignment.objects.filter(batch=BATCH, annotator=ANNOTATOR, item__topic=OuterRef("topic"))
    met = mine.filter(wanted, reading=1)
    here = Block.objects.filter(batch=BATCH, number=BLOCK)
    return here.values_list(
        "topic",
        Subquery(blocks.values("number")[:1]),
        _count(pairs.filter(topic=OuterRef("topic")).values("topic")),
        _count(met.values("item__topic")),
        _count(met.exclude(item__block=BLOCK).values("item__topic")),
        _count(mine.filter(reading=2, slot__block=BLOCK).values("item__topic")),
    )


def _count(grouped: "QuerySet[Any, Any]") -> Coalesce:
    return Coalesce(Subquery(grouped.order_by().annotate(n=Count("pk")).values("n")), 0)


def _left() -> "QuerySet[Slot, tuple[int, int, int]]":
    """The items of the block that the person may take now, and 1 where they have not met them; what they have put off
    or let lapse is among them.
    """
    is_new = Case(When(Exists(assignments_of_item()), then=Value(0)), default=Value(1))
    slots = free_slots(PUT_OFF).filter(SHARED | MINE, block=BLOCK).annotate(is_new=is_new)
    rows: QuerySet[Slot, tuple[int, int, int]] = slots.values_list("item", "reading", "is_new").distinct()
    return rows


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
    live = Slot.objects.filter(laid_out(), **pair).exclude(batch__state=Batch.State.CLOSED)
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
    feedback = Feedback.objects.filter(assignment=OuterRef("pk"))
    judged = Assignment.objects.filter(
        shared, ~Exists(again), ~Exists(feedback), item__topic=TOPIC, item__withheld=False
    )
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


_LOCK_ANNOTATOR = Rows(lambda: Annotator.objects.select_for_update(no_key=True).filter(pk=ANNOTATOR))
_TOPIC, _LEFT, _KEPT = Values(_topic), Values(_left), Values(_kept)
_STOCK, _AGAIN, _OPEN_STOCK = Values(_stock), Values(_again), Values(_open_stock)
