"""Not now, or not by me: an item goes back to the others, or to the end of its block."""

from datetime import datetime

from django.db import transaction

from annotation.judging.steps.claiming import claim_for, enter_block
from annotation.judging.steps.leases import end_assignment
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
    ahead: int = 0,
    page: str = "",
) -> Card | None:
    """Give the item back for good, with the reason, and claim the next. A repeated submission changes nothing.

    A skip that comes after its lease was lost holds too: the person never meets the item again.
    """
    workspace = lock_workspace(participation, moment=moment, page=page)
    card = card_of(workspace, token)
    assignment = card.assignment
    if assignment.state in (Assignment.State.LEASED, *GIVEN_BACK):
        block = block_of(assignment)
        cannot_judge = reason in Assignment.CANNOT_JUDGE
        if cannot_judge:
            lock_slots(assignment.item_id)
        end_assignment(assignment, Assignment.State.SKIPPED, workspace, skip_reason=reason, skip_note=note)
        workspace.drop(card)
        if cannot_judge:
            _withhold_if_refused(assignment, workspace)
        _move_on(workspace, block)
    claim_for(workspace, ahead=ahead)
    return workspace.card


@transaction.atomic
def put_off(
    participation: Participation, *, token: str, moment: datetime, ahead: int = 0, page: str = ""
) -> Card | None:
    """Put the item to the end of the block and claim the next. A card of an earlier lease puts off nothing.

    Where the next card was fetched ahead from another block, the person comes back to this one after it.
    """
    workspace = lock_workspace(participation, moment=moment, page=page)
    card = card_of(workspace, token)
    if card.assignment.state == Assignment.State.LEASED and _is_newest(card):
        block = block_of(card.assignment)
        end_assignment(card.assignment, Assignment.State.LATER, workspace)
        workspace.drop(card)
        enter_block(workspace, block)
    claim_for(workspace, ahead=ahead)
    return workspace.card


def _is_newest(card: Card) -> bool:
    return not Card.objects.filter(assignment=card.assignment_id, pk__gt=card.pk).exists()


def _withhold_if_refused(assignment: Assignment, workspace: Workspace) -> None:
    refusals = Assignment.objects.filter(item=assignment.item_id, skip_reason__in=Assignment.CANNOT_JUDGE)
    if refusals.count() < ENOUGH_REFUSALS:
        return
    if Item.objects.filter(pk=assignment.item_id, withheld=False).update(withheld=True):
        workspace.blocks.withhold(lock_slots(assignment.item_id))


def _move_on(workspace: Workspace, block: int) -> None:
    if block == workspace.participation.block:
        workspace.participation.done_in_block += 1
        workspace.participation.save(update_fields=["done_in_block"])
