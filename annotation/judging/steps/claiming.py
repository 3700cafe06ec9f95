"""Which item comes next. One statement finds the slot: a reserved one that is due, else an open one (`next_slot`).

A person works through a topic block by block, in an order of their own: `(shuffle · salt) mod (2³¹
− 1)` permutes the numbers 1 … 2³¹−2, differently for each salt, and both databases compute it
alike. Items and blocks that are already half judged go first, so that a batch stopped early is
usable. At the start of a topic, pairs from heights of its pool that the person has not met yet come
before all other open ones.
"""

from datetime import datetime

from django.db import transaction

from annotation.judging.steps.gates import pass_gates
from annotation.judging.steps.leases import add_page_to_waiting_cards, end_lapsed, give_back_waiting, lease_slot
from annotation.judging.steps.next_block import next_block
from annotation.judging.steps.next_slot import NEXT_SLOT, is_opening, next_in_block
from annotation.judging.steps.sessions import is_resting, minutes_before_break
from annotation.judging.steps.stock import give_back, throw_coins
from annotation.judging.steps.workspace import Workspace, lock_workspace, write_last
from annotation.models import Assignment, Batch, Card, Participation

TRIES = 8  # so many looks before the person is told that there is nothing just now
MOST_AHEAD = 5  # so many cards may wait behind the one in front of the person


@transaction.atomic
def claim_next(participation: Participation, *, moment: datetime, ahead: int = 0, page: str = "") -> Card | None:
    """The person's next card: the one they hold, else a new lease; None when there is none or it is time to rest.

    Also up to so many cards `ahead` as come after it, for the `page` that fetches them before they are wanted.
    """
    workspace = lock_workspace(participation, moment=moment, page=page)
    claim_for(workspace, ahead=ahead)
    return workspace.leased[0] if workspace.leased else None


def claim_for(workspace: Workspace, *, ahead: int) -> None:
    """`claim_next` within a transaction that has locked the workspace.

    Where no new card may be handed out, what waits behind the one in front of the person goes back, however few are
    asked for.
    """
    if len(workspace.leased) != 1 or ahead:
        if _may_claim(workspace):
            end_lapsed(workspace)
            _claim(workspace, ahead)
        else:
            give_back_waiting(workspace)
    add_page_to_waiting_cards(workspace)
    write_last(workspace)


def _claim(workspace: Workspace, ahead: int) -> None:
    """The card in front, the one after it wherever it is, and more only of the same visit to a block."""
    if not workspace.leased and not _claim_one(workspace):
        return
    most = _most_ahead(workspace, ahead)
    while len(workspace.leased) <= most:
        is_second = len(workspace.leased) == 1
        if not is_second and workspace.n_leased_in(workspace.participation.block) < len(workspace.leased):
            break
        if not _claim_one(workspace, may_leave=is_second):
            break
    workspace.arrange()


def _most_ahead(workspace: Workspace, ahead: int) -> int:
    """How many of the cards that are asked for ahead may wait now.

    Before a break one for each minute, so that none lies there over it. Beside others at most half of what would be
    each one's of all that is left, so that nobody waits for the last cards of a batch while they lie in a page; one in
    any case. It goes by numbers of cards alone, whatever they are.
    """
    batch, session, most = workspace.participation.batch, workspace.session, min(ahead, MOST_AHEAD)
    if most > 1 and workspace.tally.n_people > 1:
        n_left = batch.n_expected - workspace.tally.n_judged
        most = min(most, max(1, n_left // (2 * workspace.tally.n_people)))
    minutes = minutes_before_break(session, batch, moment=workspace.moment) if most and session else None
    return most if minutes is None else min(most, minutes)


def _claim_one(workspace: Workspace, *, may_leave: bool = True) -> bool:
    """Others may be quicker: a block whose last slots they are just taking is passed over, and so is a slot whose item
    has been withheld since it was found. With `may_leave`, the person goes on to another block where this one has
    nothing. Whether a card was claimed.
    """
    passed: set[int] = set()
    for _ in range(TRIES):
        slot = next_in_block(workspace)
        if slot is None:
            block_and_readiness = next_block(workspace, passed) if may_leave else None
            if block_and_readiness is None:
                return False
            block, readiness = block_and_readiness
            passed.add(block)
            enter_block(workspace, block)
            if workspace.visit_is_over:
                throw_coins(workspace)
            slot = NEXT_SLOT[readiness, is_opening(workspace)].first(**workspace.values)
        if slot is not None and lease_slot(slot, workspace):
            return True
    return False


def _may_claim(workspace: Workspace) -> bool:
    """Whether a new card may be handed out. The session begins with the first, or goes on."""
    person, moment = workspace.participation, workspace.moment
    if not (person.is_active and person.annotator.gets_cards) or person.batch.state != Batch.State.OPEN:
        return False
    if not pass_gates(person, moment=moment):
        return False
    session = workspace.session if workspace.is_touched else workspace.touch()
    return session is not None and not is_resting(session, moment=moment)


def enter_block(workspace: Workspace, block: int) -> None:
    """Move to a block. Cards done there before count towards what is due in it; what coins brought in the block that is
    left goes back."""
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
