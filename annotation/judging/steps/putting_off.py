"""Not now, or not by me: an item goes back to the others, or to the end of its block. Both can be taken back."""

from datetime import datetime

from django.db import transaction

from annotation.judging.steps.claiming import claim_for, enter_block
from annotation.judging.steps.leases import end_assignment, lease_spare_slot
from annotation.judging.steps.workspace import Workspace, block_of, card_of, lock_workspace
from annotation.kernel.blocks import lock_slots
from annotation.models import Assignment, Card, Item, Participation

GIVEN_BACK = (Assignment.State.EXPIRED, Assignment.State.LATER)
ENOUGH_REFUSALS = 2  # so many "cannot judge" withhold an item until an admin has looked at it


@transaction.atomic
def skip_item(
    participation: Participation,
    *,
    token: str,
    reason: Assignment.SkipReason,
    note: str = "",
    moment: datetime,
    ahead: bool = False,
    page: str = "",
) -> Card | None:
    """Give the item back for good, with the reason, and claim the next. A repeated submission changes nothing.

    A skip that comes after its lease was lost holds too: the person never meets the item again, unless they take the
    skip back. One that was taken back is not repeated.
    """
    workspace = lock_workspace(participation, moment=moment, page=page)
    card = card_of(workspace, token)
    assignment = card.assignment
    if assignment.state in (Assignment.State.LEASED, *GIVEN_BACK) and not card.taken_back:
        block = block_of(assignment)
        if reason in Assignment.CANNOT_JUDGE:
            lock_slots(assignment.item_id)
        end_assignment(assignment, Assignment.State.SKIPPED, workspace, skip_reason=reason, skip_note=note)
        _put_away(card, workspace)
        _withhold_if_refused(assignment, workspace)
        _move_on(workspace, block)
    claim_for(workspace, ahead=ahead)
    return workspace.card


@transaction.atomic
def put_off(
    participation: Participation, *, token: str, moment: datetime, ahead: bool = False, page: str = ""
) -> Card | None:
    """Put the item to the end of the block and claim the next. A card of an earlier lease puts off nothing.

    Where the next card was fetched ahead from another block, the person comes back to this one after it.
    """
    workspace = lock_workspace(participation, moment=moment, page=page)
    card = card_of(workspace, token)
    is_brought_back = card.pk == workspace.participation.reopened_id and card.revision == 1
    if is_brought_back or (card.assignment.state == Assignment.State.LEASED and _is_newest(card)):
        block = block_of(card.assignment)
        end_assignment(card.assignment, Assignment.State.LATER, workspace)
        _put_away(card, workspace)
        enter_block(workspace, block)
    claim_for(workspace, ahead=ahead)
    return workspace.card


def take_back(assignment: Assignment, workspace: Workspace) -> Card:
    """The card of a skip or a "later" again, as it was, in a new form.

    Where its slot has gone to somebody else meanwhile it comes back all the same, for nobody shall see from this what
    the card was: what is said on it then fills a slot of the item that has become free, or is surplus.
    """
    old = assignment.cards.order_by("-pk")[0]
    old.taken_back, old.skip_reason, old.skip_note = assignment.state, assignment.skip_reason, assignment.skip_note
    old.put_aside_at, old.taken_back_at = assignment.ended_at, workspace.moment
    old.save(update_fields=["taken_back", "skip_reason", "skip_note", "put_aside_at", "taken_back_at"])
    slots = lock_slots(assignment.item_id) if assignment.skip_reason in Assignment.CANNOT_JUDGE else []
    if assignment.state == Assignment.State.SKIPPED:
        _move_on(workspace, block_of(assignment), cards=-1)
    assignment.state, assignment.skip_reason, assignment.skip_note = Assignment.State.EXPIRED, "", ""
    assignment.save(update_fields=["state", "skip_reason", "skip_note"])
    if slots and _hand_out_again(assignment):
        workspace.blocks.wrong.update(slot.block for slot in slots)
    card = Card(assignment=assignment, revision=1, issued_at=old.issued_at, shown_at=old.shown_at or workspace.moment)
    card.save()
    lease_spare_slot(card, workspace)
    return card


def _put_away(card: Card, workspace: Workspace) -> None:
    """The person no longer has it in their hands, nor brought back before them."""
    workspace.drop(card)
    person = workspace.participation
    if person.reopened_id == card.pk:
        person.reopened = None
        person.save(update_fields=["reopened"])


def _is_newest(card: Card) -> bool:
    return not Card.objects.filter(assignment=card.assignment_id, pk__gt=card.pk).exists()


def _withhold_if_refused(assignment: Assignment, workspace: Workspace) -> None:
    if not _is_refused(assignment):
        return
    if Item.objects.filter(pk=assignment.item_id, withheld=False).update(withheld=True):
        workspace.blocks.withhold(lock_slots(assignment.item_id))


def _hand_out_again(assignment: Assignment) -> bool:
    """Its item, which had been withheld for too many refusals. Its slots are locked."""
    withheld = Item.objects.filter(pk=assignment.item_id, withheld=True)
    return not _is_refused(assignment) and bool(withheld.update(withheld=False))


def _is_refused(assignment: Assignment) -> bool:
    refusals = Assignment.objects.filter(item=assignment.item_id, skip_reason__in=Assignment.CANNOT_JUDGE)
    return refusals.count() >= ENOUGH_REFUSALS


def _move_on(workspace: Workspace, block: int, *, cards: int = 1) -> None:
    if block == workspace.participation.block:
        workspace.participation.done_in_block += cards
        workspace.participation.save(update_fields=["done_in_block"])
