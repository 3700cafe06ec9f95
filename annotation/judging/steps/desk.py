"""What lies on a person's desk in a batch: a card and the next, a break, nothing for now, or the end."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from annotation.judging.read.progress import judged_lately
from annotation.judging.steps.gates import gate_before
from annotation.judging.steps.next_slot import work_left
from annotation.judging.steps.place import Place, place_of
from annotation.judging.steps.sessions import is_resting
from annotation.judging.steps.undo import undo_available
from annotation.models import Assignment, Batch, Card, Participation, Slot


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


@dataclass(frozen=True)
class Desk:
    """`state`: card, start, break, information, qualification, guideline, waiting (others hold the rest), paused (the
    batch), held (the person gets no cards for now), closed or done. `cards`: the current one and the next, as far as
    there are any.
    """

    state: str
    cards: list[Card]
    progress: Progress
    session: Stretch

    @property
    def card(self) -> Card | None:
        return self.cards[0] if self.cards else None


def desk_of(participation: Participation, *, moment: datetime) -> Desk:
    """A read: it claims nothing. A reopened card comes before the leased ones, until the batch is closed."""
    return desk_at(place_of(participation, moment=moment))


def desk_at(place: Place) -> Desk:
    """The desk at the end of a step, which has brought the place up to date: while there is a card, no query more."""
    return Desk(
        state="card" if place.cards else _state_without_card(place),
        cards=place.cards,
        progress=_progress(place),
        session=_stretch(place),
    )


def _state_without_card(place: Place) -> str:
    participation, batch = place.participation, place.participation.batch
    if batch.state == Batch.State.CLOSED or not participation.is_active:
        return "closed"
    if not participation.annotator.gets_cards:
        return "held"
    if batch.state != Batch.State.OPEN:
        return "paused"
    if place.session is not None and is_resting(place.session, moment=place.moment):
        return "break"
    if work_left(place):
        return gate_before(participation) or "start"
    return "waiting" if _others_hold_some(participation) else "done"


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


def _progress(place: Place) -> Progress:
    participation, batch = place.participation, place.participation.batch
    judged = max(judged_lately(batch), participation.n_judged)
    return Progress(
        mine=participation.n_judged,
        mine_session=place.session.n_judged if place.session else 0,
        batch_done=min(judged, batch.n_expected),
        batch_total=batch.n_expected,
        undo_available=place.has_judged or undo_available(participation),
    )


def _stretch(place: Place) -> Stretch:
    session, moment = place.session, place.moment
    return Stretch(
        minutes=int(((session.ended_at or moment) - session.started_at).total_seconds() // 60) if session else 0,
        nudge_minutes=place.participation.batch.nudge_minutes,
        limit_minutes=place.participation.batch.session_minutes,
        resumes_at=session.break_until if session and is_resting(session, moment=moment) else None,
    )
