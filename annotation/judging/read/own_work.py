"""What a person has done, for themselves: by batch, by day, by session."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate

from annotation.models import Assignment, Batch, Feedback, Judgment, Participation, User, WorkSession

MS_AN_HOUR = 3_600_000
DAYS = 28
MOST_SESSIONS = 20


@dataclass(frozen=True)
class Done:
    """Pairs judged, and the time they took with revisions: while the page was used, and by the clock."""

    n: int = 0
    active_hours: float = 0.0
    wall_hours: float = 0.0

    @property
    def pace(self) -> float | None:
        """Judgments an hour of the page in use."""
        return self.n / self.active_hours if self.active_hours else None


@dataclass(frozen=True)
class BatchOfMine:
    """A batch in which the person takes or took part. `n_new`: results that they have not marked as read."""

    batch: Batch
    is_active: bool
    done: Done
    n_skipped: int
    n_results: int
    n_new: int

    @property
    def can_go_on(self) -> bool:
        return self.is_active and self.batch.state == Batch.State.OPEN


@dataclass(frozen=True)
class DayOfMine:
    day: date
    done: Done


@dataclass(frozen=True)
class SessionOfMine:
    """A stretch of work; `rest_minutes` of the break that ended it."""

    started_at: datetime
    minutes: int
    n_judged: int
    rest_minutes: int


@dataclass(frozen=True)
class OwnWork:
    batches: list[BatchOfMine]
    days: list[DayOfMine]
    sessions: list[SessionOfMine]

    @property
    def done(self) -> Done:
        """Over all batches."""
        all_of_it = [each.done for each in self.batches]
        return Done(
            sum(done.n for done in all_of_it),
            sum(done.active_hours for done in all_of_it),
            sum(done.wall_hours for done in all_of_it),
        )

    @property
    def n_new(self) -> int:
        return sum(each.n_new for each in self.batches)


def work_of(person: User, *, moment: datetime) -> OwnWork:
    """Six queries."""
    return OwnWork(_batches(person), _days(person, moment), _sessions(person, moment))


def _batches(person: User) -> list[BatchOfMine]:
    hidden = [Batch.State.DRAFT, Batch.State.LAID_OUT, Batch.State.IMPORTING]
    mine = Participation.objects.filter(annotator__user=person).exclude(batch__state__in=hidden)
    judged = dict(_done(Judgment.objects.filter(annotator__user=person), "batch"))
    skips = Assignment.objects.filter(annotator__user=person, state=Assignment.State.SKIPPED).values_list("batch")
    skipped = dict(skips.annotate(n=Count("pk")).order_by())
    results = {batch: (n, n_new) for batch, n, n_new in _results(person)}
    participations = mine.select_related("batch__collection").order_by("-batch__laid_out_at", "-batch")
    return [
        BatchOfMine(
            each.batch,
            each.is_active,
            judged.get(each.batch_id, Done()),
            skipped.get(each.batch_id, 0),
            *results.get(each.batch_id, (0, 0)),
        )
        for each in participations
    ]


def _results(person: User) -> "QuerySet[Feedback, Any]":
    feedback = Feedback.objects.filter(annotator__user=person).values_list("batch")
    return feedback.annotate(n=Count("pk"), n_new=Count("pk", filter=Q(seen_at__isnull=True))).order_by()


def _done(judgments: "QuerySet[Judgment, Any]", by: str) -> list[tuple[Any, Done]]:
    rows = judgments.values_list(by).annotate(
        n=Count("assignment", distinct=True), active=Sum("active_ms"), wall=Sum("wall_ms")
    )
    return [(key, Done(n, _hours(active), _hours(wall))) for key, n, active, wall in rows.order_by(by)]


def _days(person: User, moment: datetime) -> list[DayOfMine]:
    """The days (UTC) of the last weeks on which something was judged, the newest first."""
    lately = Judgment.objects.filter(annotator__user=person, created_at__gte=moment - timedelta(days=DAYS))
    rows = _done(lately.annotate(day=TruncDate("created_at", tzinfo=UTC)), "day")
    return [DayOfMine(day, done) for day, done in reversed(rows)]


def _sessions(person: User, moment: datetime) -> list[SessionOfMine]:
    latest = WorkSession.objects.filter(user=person, n_judged__gt=0).order_by("-started_at")[:MOST_SESSIONS]
    return [
        SessionOfMine(
            each.started_at,
            _minutes(each.started_at, each.ended_at or each.last_active_at),
            each.n_judged,
            _minutes(each.ended_at, each.break_until) if each.ended_at and each.break_until else 0,
        )
        for each in latest
    ]


def _minutes(since: datetime, until: datetime) -> int:
    return round((until - since).total_seconds() / 60)


def _hours(milliseconds: int | None) -> float:
    return (milliseconds or 0) / MS_AN_HOUR
