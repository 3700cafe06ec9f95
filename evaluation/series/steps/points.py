"""Points come in, and the rule looks at them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from django.db import transaction
from django.utils import timezone

from annotation.formats.problems import Problems
from annotation.kernel.audit import record_audit
from annotation.models import User
from evaluation.engine.drift.paths import first_above
from evaluation.engine.drift.rule import Baseline, baseline_of
from evaluation.models import Series, SeriesAlert, SeriesPoint
from evaluation.series.read.series import SeriesCourse, course_of, last_point
from evaluation.series.steps.alert_messages import tell
from evaluation.series.steps.making import SeriesError

AHEAD = timedelta(minutes=5)  # that the clock of another machine may be ahead
RULE_COLUMNS = frozenset({"rule", "bad", "n_history", "rate", "horizon", "block", "low", "high"})
MOST_POINTS = 20_000  # of a series: hourly ones of two years


@dataclass(frozen=True)
class NewPoint:
    """A value with its interval, if it has one; `rests_on` says what was measured, `key` is its hash."""

    time: datetime
    value: float
    low: float | None = None
    high: float | None = None
    rests_on: str = ""
    key: str = ""


@dataclass(frozen=True)
class Added:
    """`n_known` points were there already, with the same time and value; `alert` was opened by these."""

    points: list[SeriesPoint]
    n_known: int
    alert: SeriesAlert | None


def add_points(
    series: Series,
    points: Sequence[NewPoint],
    *,
    source: str,
    actor: User | None,
    problems: Problems | None = None,
    lines: Sequence[int] = (),
) -> Added:
    """All or none. Raises `FormatError` with every point that is not later than the one before it or lies ahead of the
    clock, by its line, or its place from 1 on; `SeriesError` for a series that has ended or is full, and
    for points from outside where it measures itself."""
    problems = Problems("points") if problems is None else problems
    lines = lines or range(1, len(points) + 1)
    with transaction.atomic():
        series = locked(series)
        if series.kind != Series.Kind.OUTSIDE and source != SeriesPoint.Source.SCHEDULE:
            raise SeriesError("This series measures itself: it takes no points from outside.")
        value_by_time = _known(series, points)
        pairs = zip(lines, points, strict=True)
        new = [(line, point) for line, point in pairs if value_by_time.get(point.time) != point.value]
        _check_times(series, new, problems)
        if SeriesPoint.objects.filter(series=series).count() + len(new) > MOST_POINTS:
            raise SeriesError(f"A series has {MOST_POINTS:,} points at most.")
        rows = [SeriesPoint(series=series, source=source, created_by=actor, **vars(point)) for _, point in new]
        stored = SeriesPoint.objects.bulk_create(rows)
    return Added(stored, len(points) - len(new), settle(series))


def settle(series: Series) -> SeriesAlert | None:
    """Store the baseline once the history is there, and open an alert where the rule says so. Thresholds are simulated
    before the transaction begins: no judgment waits for them. Whoever changes rule or history meanwhile calls this,
    too."""
    settings, due = _rule_settings(series), _baseline_due(series)
    with transaction.atomic():
        series = locked(series)
        if due and series.baseline is None and _rule_settings(series) == settings:
            baseline, series.history_from = due
            series.baseline = baseline.to_facts()
            series.save(update_fields=["baseline", "history_from"])
        return _open_alert(series)


def locked(series: Series) -> Series:
    """Its row as it is now, held until the transaction ends. Raises `SeriesError` for one that has ended."""
    row = Series.objects.select_for_update(no_key=True, of=("self",)).select_related("collection").get(pk=series.pk)
    if row.ended_at:
        raise SeriesError(f"The series {series.name} has ended.")
    return row


def _known(series: Series, points: Sequence[NewPoint]) -> dict[datetime, float | None]:
    if not points:
        return {}
    times = [point.time for point in points]
    there = SeriesPoint.objects.filter(series=series, value__isnull=False, time__gte=min(times), time__lte=max(times))
    return dict(there.values_list("time", "value"))


def _check_times(series: Series, points: Sequence[tuple[int, NewPoint]], problems: Problems) -> None:
    last, latest = last_point(series), timezone.now() + AHEAD
    before = last.time if last else None
    for line, point in points:
        if point.time > latest:
            problems.add(line, f"the time {point.time:%Y-%m-%d %H:%M} lies ahead")
        elif before is not None and point.time <= before:
            problems.add(line, f"the time {point.time:%Y-%m-%d %H:%M} is not later than {before:%Y-%m-%d %H:%M}")
        else:
            before = point.time
    problems.check()


def _rule_settings(series: Series) -> dict[str, object]:
    return {name: getattr(series, name) for name in (*RULE_COLUMNS, "history_from")}


def _baseline_due(series: Series) -> tuple[Baseline, datetime | None] | None:
    """The baseline, and where its history begins; later than before where there are more points than it needs."""
    if series.rule == Series.Rule.LIMITS or series.baseline:
        return None
    course = course_of(series)
    if course.history is None:
        return None
    begin, end = course.history
    baseline = baseline_of(
        course.value[begin:end],
        method=series.rule,  # type: ignore[arg-type]
        bad=series.bad,  # type: ignore[arg-type]
        horizon=series.horizon,
        rate=series.rate,
        block=series.block,
    )
    return baseline, course.points[begin].time if begin else series.history_from


def _open_alert(series: Series) -> SeriesAlert | None:
    if SeriesAlert.objects.filter(series=series, closed_at=None).exists():
        return None
    course = course_of(series)
    columns = _beyond_limits(course) if series.rule == Series.Rule.LIMITS else _above_threshold(course)
    if columns is None:
        return None
    alert = SeriesAlert.objects.create(series=series, **columns)
    detail = {"time": f"{alert.point.time:%Y-%m-%d %H:%M}", "value": alert.point.value, "direction": alert.direction}
    record_audit("series alert opened", actor=None, collection=series.collection, subject=series.name, **detail)
    tell(alert)
    return alert


def _above_threshold(course: SeriesCourse) -> dict[str, object] | None:
    path, baseline = course.path, course.baseline
    if path is None or baseline is None:
        return None
    at = first_above(path, baseline.threshold, course.start)
    if at is None:
        return None
    return {
        "point_id": course.new[at].pk,
        "since": course.new[path.begins(at)].time,
        "direction": path.direction(at),
        "level": float(path.level[at]),
        "threshold": baseline.threshold,
    }


def _beyond_limits(course: SeriesCourse) -> dict[str, object] | None:
    series, start = course.series, course.start
    low, high = (
        -np.inf if series.low is None else series.low,
        np.inf if series.high is None else series.high,
    )
    for point in course.new[start:]:
        if not low <= point.value <= high:
            up = point.value > high
            limit, direction = (high, "up") if up else (low, "down")
            columns = {"level": point.value, "threshold": limit, "direction": direction}
            return {"point_id": point.pk, "since": point.time, **columns}
    return None
