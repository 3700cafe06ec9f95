"""How far a batch is, how fast it goes, and what it costs. A handful of queries, however large it is."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import numpy as np
from django.db.models import Count, Q, Sum

from annotation.batches.read.batches import MS_AN_HOUR, SHARED, cost_of_judgment, expected_in_all
from annotation.formats.hours import DayOfWork
from annotation.health.read.inputs import BatchData
from annotation.kernel.visible import laid_out
from annotation.models import Assignment, Batch, Item, Judgment, Slot
from annotation.quality.over_time import HOUR, Forecast, forecast

DAYS_APART = 3
STEPS = 40  # of the course of a batch


@dataclass(frozen=True)
class Progress:
    """Judged: first judgments that hold a slot, gold, checks and repeats too. Left: what is still to be expected."""

    n_judged: int
    n_expected: int
    n_left: int
    n_surplus: int
    n_items: int
    n_complete: int
    n_withheld: int
    active_hours: float
    wall_hours: float

    @property
    def pace(self) -> float | None:
        """Judgments an active hour."""
        done = self.n_judged + self.n_surplus
        return done / self.active_hours if self.active_hours else None


@dataclass(frozen=True)
class Cost:
    """Every first judgment is paid, those that came too late for their slot too."""

    each: Decimal
    currency: str
    so_far: Decimal
    expected: Decimal


@dataclass(frozen=True)
class Day:
    day: date
    n_judged: int
    n_people: int
    active_hours: float
    wall_hours: float


@dataclass(frozen=True)
class Reached:
    """How many first judgments held a slot by then."""

    at: datetime
    n: int


@dataclass(frozen=True)
class Eta:
    """When it will be done, or the `reason` why nobody can say. `no_range` says why there is the middle alone; else
    `latest` is None where it may well stand still."""

    reason: str
    pace: float = 0.0
    unit: str = ""
    earliest: datetime | None = None
    middle: datetime | None = None
    latest: datetime | None = None
    no_range: str = ""

    @property
    def date_format(self) -> str:
        """How a page writes these moments: by the hour where they are near each other."""
        far = self.latest and self.earliest and self.latest - self.earliest > timedelta(days=DAYS_APART)
        return "j M Y" if far and self.unit == "day" else "j M, H:i"


def progress_of(batch: Batch) -> Progress:
    """Four queries."""
    judged = Judgment.objects.filter(batch=batch).aggregate(
        n=Count("pk", filter=Q(revision=1, surplus=False)),
        surplus=Count("pk", filter=Q(revision=1, surplus=True)),
        active=Sum("active_ms"),
        wall=Sum("wall_ms"),
    )
    items = Item.objects.filter(laid_out(), batch=batch).aggregate(
        n=Count("pk"), n_withheld=Count("pk", filter=Q(withheld=True))
    )
    unjudged = Slot.objects.filter(SHARED, laid_out(), batch=batch).exclude(state=Slot.State.JUDGED)
    left = unjudged.aggregate(n=Count("pk", filter=Q(item__withheld=False)), items=Count("item", distinct=True))
    n_items = Slot.objects.filter(SHARED, laid_out(), batch=batch).aggregate(items=Count("item", distinct=True))[
        "items"
    ]
    n_expected = expected_in_all(judged["n"], left["n"], batch.n_expected)
    return Progress(
        n_judged=judged["n"],
        n_expected=n_expected,
        n_left=n_expected - judged["n"],
        n_surplus=judged["surplus"],
        n_items=n_items,
        n_complete=n_items - left["items"],
        n_withheld=items["n_withheld"],
        active_hours=(judged["active"] or 0) / MS_AN_HOUR,
        wall_hours=(judged["wall"] or 0) / MS_AN_HOUR,
    )


def cost_of(batch: Batch, progress: Progress) -> Cost | None:
    """None where neither the batch nor its collection states what a judgment costs."""
    each = cost_of_judgment(batch)
    if each is None:
        return None
    done = progress.n_judged + progress.n_surplus
    return Cost(each, batch.collection.currency, each * done, each * (done + progress.n_left))


def days_of(work: list[DayOfWork]) -> list[Day]:
    """From rows a person and day, in the order of days."""
    by_day: dict[date, list[DayOfWork]] = {}
    for each in work:
        by_day.setdefault(each.day, []).append(each)
    return [
        Day(
            day,
            sum(row.n_judged for row in rows),
            len(rows),
            sum(row.active_hours for row in rows),
            sum(row.wall_hours for row in rows),
        )
        for day, rows in by_day.items()
    ]


def course_of(data: BatchData, now: datetime) -> list[Reached]:
    """At equal steps from the first judgment until now, or until the last one where nobody judges any more; nothing
    where all bear one time."""
    if not data.has_times:
        return []
    moments = np.sort(data.saved[data.first & ~data.inputs.table.surplus])
    until = now.timestamp() if data.batch.state in Batch.RUNNING else float(moments.max(initial=0))
    edges = np.linspace(float(moments.min(initial=until)), until, STEPS + 1)
    n = np.searchsorted(moments, edges, side="right")
    return [Reached(datetime.fromtimestamp(at, tz=UTC), n) for at, n in zip(edges.tolist(), n.tolist(), strict=True)]


def eta_of(batch: Batch, data: BatchData, n_left: int, now: datetime, quiet_hours: float) -> Eta:
    """`quiet_hours`: after how long without a judgment an alert says that nobody judges."""
    if batch.state != Batch.State.OPEN:
        return Eta(f"The batch is {batch.get_state_display().lower()}: nobody gets new cards.")
    result: Forecast = forecast(data.moments, now.timestamp(), n_left, quiet=quiet_hours * HOUR)
    if result.reason:
        return Eta(result.reason)
    earliest, middle, latest = (
        None if s is None else _after(now, s) for s in (result.earliest, result.middle, result.latest)
    )
    return Eta("", result.pace, result.unit, earliest, middle, latest, result.no_range)


def met_by_topic(batch: Batch) -> dict[str, tuple[int, int]]:
    """Cards that people ended by a grade or a skip, and those that they could not judge, by topic number. One query."""
    ended = (Assignment.State.JUDGED, Assignment.State.SURPLUS, Assignment.State.SKIPPED)
    rows = Assignment.objects.filter(batch=batch, state__in=ended).values_list("item__topic__number")
    cannot = Count("pk", filter=Q(skip_reason__in=Assignment.CANNOT_JUDGE))
    return {number: (n, k) for number, n, k in rows.annotate(n=Count("pk"), k=cannot).order_by()}


def _after(now: datetime, seconds: float) -> datetime | None:
    try:
        return (now + timedelta(seconds=seconds)).astimezone(UTC)
    except OverflowError:
        return None
