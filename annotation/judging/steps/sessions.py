"""Stretches of work, per person across batches: how long someone has been judging, and when they must rest."""

from datetime import datetime, timedelta
from math import ceil

from django.db.models import F, Q

from annotation.models import Batch, Participation, WorkSession
from annotation.models.prepared import KEY, MOMENT, Blank, Rows, Update

AWAY = timedelta(minutes=15)  # without a judgment for so long, the next one begins a new session
MINUTE = timedelta(minutes=1)

_LOCK_SESSION = Rows(
    lambda: (
        WorkSession.objects.select_for_update()
        .filter(Q(ended_at__isnull=True) | Q(break_until__gt=Blank("moment", MOMENT)), user=Blank("user", KEY))
        .order_by(F("break_until").desc(nulls_last=True))[:1]
    )
)
_UPDATE_SESSION = Update(
    lambda: WorkSession.objects.filter(pk=Blank("pk", KEY)),
    last_active_at=Blank("last_active_at", MOMENT),
    n_judged=Blank("n_judged", KEY),
    ended_at=Blank("ended_at", MOMENT),
    break_until=Blank("break_until", MOMENT),
)


def latest_session(user_id: int | None, *, moment: datetime) -> WorkSession | None:
    """The session whose break the person is in, else the running one."""
    is_running = Q(ended_at__isnull=True, last_active_at__gte=moment - AWAY)
    return (
        WorkSession.objects.filter(is_running | Q(break_until__gt=moment), user=user_id)
        .order_by(F("break_until").desc(nulls_last=True))
        .first()
    )


def break_until(participation: Participation, *, moment: datetime) -> datetime | None:
    """When the person's break ends; None outside of one."""
    session = latest_session(participation.annotator.user_id, moment=moment)
    return session.break_until if session is not None and is_resting(session, moment=moment) else None


def touch_session(participation: Participation, *, moment: datetime, judged: int = 0) -> WorkSession:
    """Go on with the running session or begin one; when it has reached the batch's limit, end it with a break.

    What still arrives during a break counts to the session before it. The session is locked until the transaction
    ends: a person's batches share it.
    """
    user_id = participation.annotator.user_id
    if user_id is None:
        raise ValueError("An annotator without an account cannot judge here.")
    session = _session_now(user_id, moment)
    session.n_judged += judged
    if session.ended_at is None:
        session.last_active_at = moment
        _end_at_limit(session, participation.batch, moment)
    _UPDATE_SESSION.apply(
        pk=session.pk,
        last_active_at=session.last_active_at,
        n_judged=session.n_judged,
        ended_at=session.ended_at,
        break_until=session.break_until,
    )
    return session


def is_resting(session: WorkSession, *, moment: datetime) -> bool:
    """Whether the break after the session still lasts."""
    return session.break_until is not None and session.break_until > moment


def minutes_before_break(session: WorkSession, batch: Batch, *, moment: datetime) -> int | None:
    """Whole minutes that come before the last one of the session; None where no break comes."""
    if not batch.session_minutes:
        return None
    left = session.started_at + timedelta(minutes=batch.session_minutes) - moment
    return max(0, ceil(left / MINUTE) - 1)


def _session_now(user_id: int, moment: datetime) -> WorkSession:
    """The session whose break the person is in, else the running one; begun now if there is none or they were away."""
    session = _LOCK_SESSION.first(user=user_id, moment=moment)
    if session is not None and session.ended_at is None and session.last_active_at < moment - AWAY:
        WorkSession.objects.filter(pk=session.pk).update(ended_at=session.last_active_at)
        session = None
    begun = {"started_at": moment, "last_active_at": moment}
    return (
        session
        or WorkSession.objects.select_for_update().get_or_create(user_id=user_id, ended_at=None, defaults=begun)[0]
    )


def _end_at_limit(session: WorkSession, batch: Batch, moment: datetime) -> None:
    """A limit of 0 minutes means none."""
    if batch.session_minutes and moment - session.started_at >= timedelta(minutes=batch.session_minutes):
        session.ended_at = moment
        session.break_until = moment + timedelta(minutes=batch.break_minutes)
