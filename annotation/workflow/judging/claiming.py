"""Which item comes next. One statement finds the slot: a reserved one that is due, else an open one.

A person works through a topic block by block, in an order of their own: `(shuffle · salt) mod (2³¹ − 1)` permutes the
numbers 1 … 2³¹−2, differently for each salt, and both databases compute it alike. Items and blocks that are already
half judged go first, so that a batch stopped early is usable. At the start of a topic, pairs from heights of its pool
that the person has not met yet come before all other open ones (`opening`).
"""

from datetime import datetime

from django.db import transaction
from django.db.models import BigIntegerField, Case, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

from annotation.models import Assignment, Batch, Card, Item, Participation, Slot
from annotation.workflow.judging.gates import pass_gates
from annotation.workflow.judging.leases import end_lapsed, lease_slot
from annotation.workflow.judging.opening import is_opening, seen_stratum
from annotation.workflow.judging.place import Place, lock_place, show_first
from annotation.workflow.judging.sessions import break_is_near, is_resting

PRIME = 2147483647  # 2³¹ − 1

FREE_AGAIN = [Assignment.State.EXPIRED]
PUT_OFF = [Assignment.State.EXPIRED, Assignment.State.LATER]


@transaction.atomic
def claim_next(participation: Participation, *, moment: datetime, ahead: bool = False) -> Card | None:
    """The person's next card: the one they hold, else a new lease; None when there is none or it is time to rest.

    With `ahead`, also the card after it, for a page that fetches it before it is wanted.
    """
    place = lock_place(participation, moment=moment)
    claim_for(place, ahead=ahead)
    return place.held[0] if place.held else None


def claim_for(place: Place, *, ahead: bool) -> None:
    """`claim_next` within a transaction that has locked the place."""
    if not place.held and _may_claim(place):
        end_lapsed(place)
        _claim_one(place)
    if ahead and len(place.held) == 1 and _may_claim(place) and not _break_is_near(place):
        end_lapsed(place)
        _claim_one(place)
    show_first(place)


def _claim_one(place: Place) -> None:
    slot = _in_block(place) or _in_next_block(place)
    if slot is not None:
        lease_slot(slot, place)


def work_left(place: Place) -> bool:
    """Whether a claim would find anything now."""
    return free_slots(place, except_for=PUT_OFF).filter(_any_reservation(place)).exists()


def free_slots(place: Place, *, except_for: list[Assignment.State]) -> QuerySet[Slot]:
    """Slots of the batch that nobody holds, of items that the person has not met (states in `except_for` apart).

    What the person let lapse is theirs to meet again. A second reading is free only for someone who has judged the
    first.
    """
    person, moment = place.participation, place.moment
    mine = Assignment.objects.filter(item=OuterRef("item"), annotator=person.annotator_id)
    lapsed = Q(state=Assignment.State.LEASED, slot__lease_until__lt=moment)
    met = mine.filter(reading=OuterRef("reading")).exclude(Q(state__in=except_for) | lapsed)
    judged_once = mine.filter(reading=1, state=Assignment.State.JUDGED)
    return Slot.objects.filter(
        Q(state=Slot.State.OPEN) | Q(state=Slot.State.LEASED, lease_until__lt=moment),
        Q(reading=1) | Exists(judged_once),
        ~Exists(met),
        batch=person.batch_id,
        item__withheld=False,
    )


def _may_claim(place: Place) -> bool:
    """Whether a new card may be handed out. The session begins with the first, or goes on."""
    person, moment = place.participation, place.moment
    if not person.is_active or person.batch.state != Batch.State.OPEN or not pass_gates(person, moment=moment):
        return False
    session = place.session if place.is_touched else place.touch()
    return session is not None and not is_resting(session, moment=moment)


def _break_is_near(place: Place) -> bool:
    return place.session is not None and break_is_near(place.session, place.participation.batch, moment=place.moment)


def _due(place: Place) -> Q:
    """Reserved for the person, and due: so many cards of the block are behind them or in their hands."""
    person = place.participation
    return Q(reserved_for=person.annotator_id, due__lte=person.done_in_block + place.held_in(person.block))


def _any_reservation(place: Place) -> Q:
    """What is left once the open slots are gone: others' transferable reservations too; the rest lapses.

    What is reserved for the person in a block that they are not in is no reason to go there.
    """
    due_here = _due(place) & Q(block=place.participation.block)
    return Q(reserved_for__isnull=True) | Q(transferable=True) | due_here


def _own_order(number: Combinable, salt: int) -> Combinable:
    return (Cast(number, BigIntegerField()) * Value(salt, BigIntegerField())) % Value(PRIME, BigIntegerField())


def _in_block(place: Place) -> Slot | None:
    """The next slot of the block the person is in: due reservations, open slots, then what they put off."""
    block = place.participation.block
    if block is None:
        return None
    here = Q(block=block) & (Q(reserved_for__isnull=True) | _due(place))
    for except_for in (FREE_AGAIN, PUT_OFF):
        slot = _first(place, free_slots(place, except_for=except_for).filter(here))
        if slot is not None:
            return slot
    return None


def _in_next_block(place: Place) -> Slot | None:
    """Go on to another block: one with open slots, else one where others' reservations have fallen free."""
    for except_for in (FREE_AGAIN, PUT_OFF):
        free = free_slots(place, except_for=except_for)
        for wanted in (Q(reserved_for__isnull=True), Q(transferable=True)):
            block = _choose_block(place.participation, free.filter(wanted))
            if block is not None:
                enter_block(place.participation, block)
                return _first(place, free.filter(wanted | _due(place), block=block))
    return None


def _choose_block(participation: Participation, slots: QuerySet[Slot]) -> int | None:
    """Another topic before the same one again; half-judged blocks before fresh ones; then the person's own order."""
    here = -1 if participation.block is None else participation.block
    last = Item.objects.filter(batch=participation.batch_id, block=here).values("topic")[:1]
    blocks = (
        slots.annotate(same_topic=Case(When(item__topic__in=last, then=1), default=0))
        .values("block", "same_topic")
        .annotate(begun=Max("item__n_judged"))
        .annotate(fresh=Case(When(begun__gt=0, then=0), default=1))
        .order_by("same_topic", "fresh", _own_order(F("block") + 1, participation.salt))
    )
    chosen = blocks.first()
    return None if chosen is None else int(chosen["block"])


def enter_block(participation: Participation, block: int) -> None:
    """Stand in a block: the cards done there before count towards what is due in it."""
    if participation.block != block:
        participation.block = block
        participation.done_in_block = Assignment.objects.filter(
            batch=participation.batch_id, annotator=participation.annotator_id, item__block=block
        ).count()
        participation.save(update_fields=["block", "done_in_block"])


def _first(place: Place, slots: QuerySet[Slot]) -> Slot | None:
    """The first of these slots in the person's order, locked; rows that another claim is taking are passed over."""
    person = place.participation
    put_off_at = Assignment.objects.filter(
        item=OuterRef("item"), annotator=person.annotator_id, state=Assignment.State.LATER
    ).values("ended_at")[:1]
    done = person.done_in_block + place.held_in(person.block)
    opening = {"opening": seen_stratum(person)} if is_opening(person, done=done) else {}
    return (
        slots.annotate(
            put_off_at=Subquery(put_off_at),
            tier=Case(When(reserved_for=person.annotator_id, then=0), default=1),
            **opening,
            fresh=Case(When(item__n_judged=0, then=1), default=0),
            own_order=_own_order(F("item__shuffle"), person.salt),
        )
        .select_related("item")
        .order_by("put_off_at", "tier", *opening, "fresh", "own_order", "n")
        .select_for_update(skip_locked=True, of=("self",))
        .first()
    )
