"""The statements of a claim: which slot comes next for a person in the block they are in.

They are compiled once. What differs from claim to claim stands in blanks, which `Workspace.values`
fills.

A topic opens with a pair from each height of its pool, so that the first cards span the scale. This
orders the open slots alone. What is reserved for somebody comes when it is due, here as anywhere,
whatever it is; and as every card counts for its stratum, nothing after it tells what it was.
"""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import TypeAlias

from django.db.models import BigIntegerField, Case, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast
from django.db.models.lookups import IsNull

from annotation.judging.steps.workspace import Workspace
from annotation.models import Assignment, Card, Item, Slot
from annotation.models.prepared import KEY, MOMENT, Blank, Rows

PRIME = 2147483647  # 2³¹ − 1
REACH = 3  # cards for each stratum: by then a topic has opened, even where one stratum came up twice

ANNOTATOR, BATCH, BLOCK, SALT = (Blank(name, KEY) for name in ("annotator", "batch", "block", "salt"))
PAIRS_END = Blank("pairs_end", KEY)
DONE = Blank("done", KEY)  # cards of the block that are behind the person or in their hands
NOW = Blank("moment", MOMENT)

Readiness: TypeAlias = tuple[Assignment.State, ...]
FREE_AGAIN: Readiness = (Assignment.State.EXPIRED,)
PUT_OFF: Readiness = (Assignment.State.EXPIRED, Assignment.State.LATER)
READINESS = (FREE_AGAIN, PUT_OFF)  # what was put off comes when nothing else is left
AFRESH: Readiness = ()  # of somebody to whom no card comes again
BOTH = (False, True)

OPEN = Q(reserved_for__isnull=True)
TRANSFERABLE = Q(transferable=True)
MINE = Q(reserved_for=ANNOTATOR)
DUE = MINE & Q(due__lte=DONE)
# The block is said of the item, too: the server counts on fewer rows then. A second reading comes in another block, and
# so may what is kept for the person.
HERE = Q(block=BLOCK, item__batch=BATCH) & (Q(item__block=BLOCK) | Q(reading=2) | MINE)
SHARED = OPEN | TRANSFERABLE
UNHELD = Q(state=Slot.State.OPEN) | Q(state=Slot.State.LEASED, lease_until__lt=NOW)


def without_any(rows: QuerySet[Assignment]) -> Combinable:
    return ~Exists(rows)


def without_first(rows: QuerySet[Assignment]) -> Combinable:
    """The same, one look-up in an index for each slot, whatever the server makes of the rest: it joins no subquery of
    a value."""
    return IsNull(Subquery(rows.values("pk")[:1]), True)  # noqa: FBT003 -- Django's way to say it


def free_slots(
    except_for: Readiness, unheld: Q = UNHELD, without: Callable[[QuerySet[Assignment]], Combinable] = without_any
) -> QuerySet[Slot]:
    """Slots of the batch that nobody holds, of items that the person has not met (states in `except_for` apart).

    What the person let lapse is theirs to meet again. A second reading is free only for someone who has judged the
    first. `without`: how a slot is asked for a meeting.
    """
    mine = assignments_of_item()
    met = mine.filter(reading=OuterRef("reading"))
    if except_for:
        lapsed = Q(state=Assignment.State.LEASED, slot__lease_until__lt=NOW)
        met = met.exclude(Q(state__in=except_for) | lapsed)
    judged_once = mine.filter(reading=1, state=Assignment.State.JUDGED)
    return Slot.objects.filter(
        unheld,
        Q(reading=1) | Exists(judged_once),
        without(met),
        batch=BATCH,
        item__withheld=False,
    )


def free_here(readiness: Readiness) -> QuerySet[Slot]:
    """The slots of the person's block that anybody may take, and what is due for them there.

    What is due comes only where something else is left beside it, or after the last pair of the person's visit: there
    nobody else has taken any. What they have had in front of them comes back in any case; what a page fetched ahead and
    gave back unseen does not, or whoever comes back to a finished block would meet what was kept for them alone.
    """
    slots = free_slots(readiness).filter(HERE)
    beside = Exists(slots.filter(SHARED)) | Q(due__gte=PAIRS_END)
    if readiness == AFRESH:
        return slots.filter(SHARED | DUE & beside)
    seen = Exists(
        Card.objects.filter(
            assignment__item=OuterRef("item"),
            assignment__annotator=ANNOTATOR,
            assignment__reading=OuterRef("reading"),
            shown_at__isnull=False,
        )
    )
    return slots.filter(SHARED | DUE & beside | MINE & seen)


def next_in_block(workspace: Workspace) -> Slot | None:
    """The next slot of the block the person is in: due or open, then what others' reservations leave free there, then
    what the person put off. Where the visit is over, only what they have had in their hands before. For whom no card
    comes again, one look is enough, and then none.
    """
    if workspace.participation.block is None:
        return None
    if workspace.visit_is_over:
        return _HANDED.first(**workspace.values) if workspace.has_unfinished else None
    opens, values = is_opening(workspace), workspace.values
    readinesses = READINESS if workspace.has_unfinished else (AFRESH,)
    slots = (NEXT_SLOT[readiness, opens].first(**values) for readiness in readinesses)
    return next((slot for slot in slots if slot is not None), None)


def is_opening(workspace: Workspace) -> bool:
    """Whether so few cards of the block are done or in hand that the topic may still be opening."""
    return workspace.done < REACH * workspace.participation.batch.opening_cards


def _seen_stratum() -> Combinable:
    """1 for a slot of a stratum from which the person has met a pair of the topic.

    When they come back to the topic they have met one from each. Items without a stratum are alike.
    """
    in_block = Item.objects.filter(batch=BATCH, block=BLOCK)
    topic = Subquery(in_block.values("topic")[:1])  # one number: with `in`, asked again for every assignment
    met = Assignment.objects.filter(
        batch=BATCH, annotator=ANNOTATOR, item__topic=topic, item__stratum__isnull=False
    ).exclude(state=Assignment.State.EXPIRED)
    is_seen = When(item__stratum__in=met.values("item__stratum"), then=Value(1))
    return Case(is_seen, default=Value(0))


def assignments_of_item() -> QuerySet[Assignment]:
    """In the conditions of a slot: the person's assignments of its item."""
    return Assignment.objects.filter(item=OuterRef("item"), annotator=ANNOTATOR)


def own_order(number: Combinable) -> Combinable:
    product = Cast(number, BigIntegerField()) * Cast(SALT, BigIntegerField())
    return product % Value(PRIME, BigIntegerField())


def _first(slots: QuerySet[Slot], *, opens: bool, afresh: bool = False) -> QuerySet[Slot]:
    """The first of these slots in the person's order, locked; rows that another claim is taking are passed over."""
    mine = assignments_of_item()
    opening = {"opening": _seen_stratum()} if opens else {}
    put_off = (
        {} if afresh else {"put_off_at": Subquery(mine.filter(state=Assignment.State.LATER).values("ended_at")[:1])}
    )
    again = Subquery(mine.filter(reading=OuterRef("reading")).values("pk")[:1])
    return (
        slots.annotate(
            **put_off,
            again=Value(None, BigIntegerField()) if afresh else again,
            tier=Case(When(DUE, then=0), When(OPEN, then=1), default=2),
            **opening,
            fresh=Case(When(item__n_judged=0, then=1), default=0),
            own_order=own_order(F("item__shuffle")),
        )
        .select_related("item")
        .order_by(*put_off, "tier", *opening, "fresh", "own_order", "n")
        .select_for_update(skip_locked=True, of=("self",))[:1]
    )


def _handed() -> QuerySet[Slot]:
    mine = assignments_of_item().filter(reading=OuterRef("reading"))
    return _first(free_here(PUT_OFF).filter(Exists(mine)), opens=False)


def _in_block(readiness: Readiness, opens: bool) -> QuerySet[Slot]:  # noqa: FBT001 -- a key of a table
    return _first(free_here(readiness), opens=opens, afresh=readiness == AFRESH)


NEXT_SLOT = {
    (readiness, opens): Rows(partial(_in_block, readiness, opens))
    for readiness, opens in product((AFRESH, *READINESS), BOTH)
}
_HANDED = Rows(_handed)
