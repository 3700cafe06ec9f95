"""Which item comes next. One statement finds the slot: a reserved one that is due, else an open one (`next_slot`).

A person works through a topic block by block, in an order of their own: `(shuffle · salt) mod (2³¹ − 1)` permutes the
numbers 1 … 2³¹−2, differently for each salt, and both databases compute it alike. Items and blocks that are already
half judged go first, so that a batch stopped early is usable. At the start of a topic, pairs from heights of its pool
that the person has not met yet come before all other open ones (`opening_cards`).
"""

from datetime import datetime

from django.db import transaction

from annotation.judging.steps.gates import pass_gates
from annotation.judging.steps.leases import end_lapsed, hold_for_page, lease_slot
from annotation.judging.steps.next_slot import next_block, next_in_block
from annotation.judging.steps.opening_cards import is_opening
from annotation.judging.steps.place import Place, lock_place, show_first
from annotation.judging.steps.sessions import break_is_near, is_resting
from annotation.models import Assignment, Batch, Card, Participation


@transaction.atomic
def claim_next(participation: Participation, *, moment: datetime, ahead: bool = False, page: str = "") -> Card | None:
    """The person's next card: the one they hold, else a new lease; None when there is none or it is time to rest.

    With `ahead`, also the card after it, for the `page` that fetches it before it is wanted.
    """
    place = lock_place(participation, moment=moment, page=page)
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
    hold_for_page(place)


def _claim_one(place: Place) -> None:
    slot = next_in_block(place)
    if slot is None and (found := next_block(place)):
        block, slots = found
        enter_block(place.participation, block)
        slot = slots[is_opening(place)].first(**place.values)
    if slot is not None:
        lease_slot(slot, place)


def _may_claim(place: Place) -> bool:
    """Whether a new card may be handed out. The session begins with the first, or goes on."""
    person, moment = place.participation, place.moment
    if not (person.is_active and person.annotator.gets_cards) or person.batch.state != Batch.State.OPEN:
        return False
    if not pass_gates(person, moment=moment):
        return False
    session = place.session if place.is_touched else place.touch()
    return session is not None and not is_resting(session, moment=moment)


def _break_is_near(place: Place) -> bool:
    return place.session is not None and break_is_near(place.session, place.participation.batch, moment=place.moment)


def enter_block(participation: Participation, block: int) -> None:
    """Stand in a block: the cards done there before count towards what is due in it."""
    if participation.block != block:
        participation.block = block
        participation.done_in_block = Assignment.objects.filter(
            batch=participation.batch_id, annotator=participation.annotator_id, item__block=block
        ).count()
        participation.save(update_fields=["block", "done_in_block"])
