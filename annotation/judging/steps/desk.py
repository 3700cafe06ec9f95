"""What lies on a person's desk in a batch: a card and those that wait, a break, nothing for now, or the end."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from annotation.judging.steps.gates import gate_before
from annotation.judging.steps.next_block import work_left
from annotation.judging.steps.sessions import is_resting
from annotation.judging.steps.undo import undo_available
from annotation.judging.steps.workspace import Workspace, block_of, workspace_of
from annotation.models import Assignment, Batch, Card, Participation, Slot

MORE_STEP = 5  # what is left of a topic is said in steps of so many cards


@dataclass(frozen=True)
class Progress:
    """Judgments: one's own in the batch and in this session, and the batch's, of those expected."""

    mine: int
    mine_session: int
    batch_done: int
    batch_total: int
    undo_available: bool


@dataclass(frozen=True)
class Stretch:
    """The session, in minutes, against the batch's limit (0 = none); `resumes_at` during the break after it.

    `nudge`: it has lasted so long (`nudge_minutes`, 0 = never) that the page suggests a short rest.
    """

    minutes: int
    nudge_minutes: int
    limit_minutes: int
    resumes_at: datetime | None

    @property
    def nudge(self) -> bool:
        return 0 < self.nudge_minutes <= self.minutes and self.resumes_at is None

    @property
    def until_break(self) -> int | None:
        """Minutes until the break comes; None where none will, or it is one."""
        if not self.limit_minutes or self.resumes_at is not None:
            return None
        return max(0, self.limit_minutes - self.minutes)


@dataclass(frozen=True)
class Desk:
    """`state`: card, start, break, information, qualification, guideline, waiting (others hold the rest), paused (the
    batch), held (the person gets no cards for now), closed or done. `cards`: the current one, then those that wait.
    `more`: by the token of a card, how many cards of its topic may come after it before another topic does, at the
    most, in steps of five; a card is not in it where that is not known.
    """

    state: str
    cards: list[Card]
    progress: Progress
    session: Stretch
    more: Mapping[str, int]

    @property
    def card(self) -> Card | None:
        return self.cards[0] if self.cards else None


def desk_of(participation: Participation, *, moment: datetime) -> Desk:
    """A read: it claims nothing. A reopened card comes before the leased ones, until the batch is closed."""
    return desk_at(workspace_of(participation, moment=moment))


def desk_at(workspace: Workspace) -> Desk:
    """The desk at the end of a step, which has brought the workspace up to date.

    While there is a card, this takes no further query.
    """
    return Desk(
        state="card" if workspace.cards else _state_without_card(workspace),
        cards=workspace.cards,
        progress=_progress(workspace),
        session=_stretch(workspace),
        more=_more_of_topic(workspace),
    )


def _more_of_topic(workspace: Workspace) -> dict[str, int]:
    """For each leased card, the cards of its visit after it (decision 0025): a bound that falls by one with every card,
    whatever it is. Others may take pairs meanwhile, so that the visit ends sooner: the steps keep that from being seen.
    """
    person = workspace.participation
    if person.batch.coin_shares is None:
        return {}
    more, after = {}, dict.fromkeys({block_of(card.assignment) for card in workspace.leased}, 0)
    if person.block in after:  # of another block, all that is left is in the person's hands
        after[person.block] = max(0, person.thrown - workspace.done)
    for card in reversed(workspace.leased):
        block = block_of(card.assignment)
        more[card.token] = max(1, -(-after[block] // MORE_STEP)) * MORE_STEP
        after[block] += 1
    return more


def _state_without_card(workspace: Workspace) -> str:
    participation, batch = workspace.participation, workspace.participation.batch
    if batch.state == Batch.State.CLOSED or not participation.is_active:
        return "closed"
    if not participation.annotator.gets_cards:
        return "held"  # the person is paused or excluded
    if batch.state != Batch.State.OPEN:
        return "paused"  # the batch is, not the person
    is_left = work_left(workspace)
    if not is_left and not _others_hold_some(participation):
        return "done"
    if workspace.session is not None and is_resting(workspace.session, moment=workspace.moment):
        return "break"
    return (gate_before(participation) or "start") if is_left else "waiting"


def _others_hold_some(participation: Participation) -> bool:
    """Whether a lease of someone else might yet lapse into a card for this person."""
    met = Assignment.objects.filter(batch=participation.batch_id, annotator=participation.annotator_id)
    mine = Q(reserved_for=participation.annotator_id)
    return (
        Slot.objects.filter(
            mine | Q(reserved_for__isnull=True) | Q(transferable=True),
            batch=participation.batch_id,
            state=Slot.State.LEASED,
        )
        .exclude(item__in=met.values("item"))
        .exists()
    )


def _progress(workspace: Workspace) -> Progress:
    participation, batch = workspace.participation, workspace.participation.batch
    judged = max(workspace.tally.n_judged, participation.n_judged)
    return Progress(
        mine=participation.n_judged,
        mine_session=workspace.session.n_judged if workspace.session else 0,
        batch_done=min(judged, batch.n_expected),
        batch_total=batch.n_expected,
        undo_available=workspace.has_judged or undo_available(participation),
    )


def _stretch(workspace: Workspace) -> Stretch:
    session, moment = workspace.session, workspace.moment
    return Stretch(
        minutes=int(((session.ended_at or moment) - session.started_at).total_seconds() // 60) if session else 0,
        nudge_minutes=workspace.participation.batch.nudge_minutes,
        limit_minutes=workspace.participation.batch.session_minutes,
        resumes_at=session.break_until if session and is_resting(session, moment=moment) else None,
    )
