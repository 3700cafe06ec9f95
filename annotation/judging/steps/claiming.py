"""Which item comes next. One statement finds the slot: a reserved one that is due, else an open one (`next_slot`).

A person works through a topic block by block, in an order of their own: `(shuffle · salt) mod (2³¹ − 1)` permutes the
numbers 1 … 2³¹−2, differently for each salt, and both databases compute it alike. Items and blocks that are already
half judged go first, so that a batch stopped early is usable. At the start of a topic, pairs from heights of its pool
that the person has not met yet come before all other open ones.
"""

from datetime import datetime

from django.db import transaction

from annotation.judging.steps.gates import pass_gates
from annotation.judging.steps.leases import add_page_to_waiting_card, end_lapsed, lease_slot
from annotation.judging.steps.next_block import next_block
from annotation.judging.steps.next_slot import NEXT_SLOT, is_opening, next_in_block
from annotation.judging.steps.sessions import break_is_near, is_resting
from annotation.judging.steps.stock import give_back, throw_coins
from annotation.judging.steps.workspace import Workspace, lock_workspace, write_last
from annotation.models import Assignment, Batch, Card, Participation

TRIES = 8  # so many looks before the person is told that there is nothing just now


@transaction.atomic
def claim_next(participation: Participation, *, moment: datetime, ahead: bool = False, page: str = "") -> Card | None:
    """The person's next card: the one they hold, else a new lease; None when there is none or it is time to rest.

    With `ahead`, also the card after it, for the `page` that fetches it before it is wanted.
    """
    workspace = lock_workspace(participation, moment=moment, page=page)
    claim_for(workspace, ahead=ahead)
    return workspace.leased[0] if workspace.leased else None


def claim_for(workspace: Workspace, *, ahead: bool) -> None:
    """`claim_next` within a transaction that has locked the workspace."""
    if not workspace.leased and _may_claim(workspace):
        end_lapsed(workspace)
        _claim_one(workspace)
    can_fetch_next = ahead and len(workspace.leased) == 1
    if can_fetch_next and _may_claim(workspace) and not _break_is_near(workspace):
        end_lapsed(workspace)
        _claim_one(workspace)
    add_page_to_waiting_card(workspace)
    write_last(workspace)


def _claim_one(workspace: Workspace) -> None:
    """Others may be quicker: a block whose last slots they are just taking is passed over, and so is a slot whose item
    has been withheld since it was found.
    """
    passed: set[int] = set()
    for _ in range(TRIES):
        slot = next_in_block(workspace)
        if slot is None:
            block_and_readiness = next_block(workspace, passed)
            if block_and_readiness is None:
                return
            block, readiness = block_and_readiness
            passed.add(block)
            enter_block(workspace, block)
            if workspace.visit_is_over:
                throw_coins(workspace)
            slot = NEXT_SLOT[readiness, is_opening(workspace)].first(**workspace.values)
        if slot is not None and lease_slot(slot, workspace):
            return


def _may_claim(workspace: Workspace) -> bool:
    """Whether a new card may be handed out. The session begins with the first, or goes on."""
    person, moment = workspace.participation, workspace.moment
    if not (person.is_active and person.annotator.gets_cards) or person.batch.state != Batch.State.OPEN:
        return False
    if not pass_gates(person, moment=moment):
        return False
    session = workspace.session if workspace.is_touched else workspace.touch()
    return session is not None and not is_resting(session, moment=moment)


def _break_is_near(workspace: Workspace) -> bool:
    return workspace.session is not None and break_is_near(
        workspace.session, workspace.participation.batch, moment=workspace.moment
    )


def enter_block(workspace: Workspace, block: int) -> None:
    """Move to a block. The cards done there before count towards what is due in it; what the person's coins had brought
    in the block they leave goes back.
    """
    participation = workspace.participation
    if participation.block != block:
        batch = participation.batch_id
        if participation.batch.coin_shares is not None and participation.block is not None:
            give_back(workspace, participation.block)
        participation.block = block
        mine = Assignment.objects.filter(batch=batch, annotator=participation.annotator_id)
        here = mine.filter(slot__batch=batch, slot__block=block)
        given_back = mine.filter(slot=None, item__batch=batch, item__block=block, reading=1)  # repeats stand elsewhere
        participation.done_in_block = here.count() + given_back.count()
        participation.thrown, participation.pairs_end = participation.done_in_block, None
        participation.save(update_fields=["block", "done_in_block", "thrown", "pairs_end"])
