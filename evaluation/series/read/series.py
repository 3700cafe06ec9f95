"""Series of a collection, their points in order, and how they stand."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Sum
from django.urls import reverse

from annotation.kernel.navigation import MOST_FOUND, Place
from annotation.kernel.waiting import CountOf, Waiting
from annotation.models import Collection
from evaluation.engine.arrays import Floats
from evaluation.engine.drift.paths import Path
from evaluation.engine.drift.rule import Baseline, history_in, path_of
from evaluation.models import Series, SeriesAlert, SeriesPoint


def series_of(collection: Collection) -> QuerySet[Any]:
    """Those that are watched first, then by name; `Series` with `n_points`, `last_time` and `is_alarmed`."""
    alarmed = SeriesAlert.objects.filter(series=OuterRef("pk"), closed_at=None)
    return (
        Series.objects.filter(collection=collection)
        .select_related("created_by")
        .annotate(
            n_points=Count("points", filter=Q(points__value__isnull=False)),
            last_time=Max("points__time", filter=Q(points__value__isnull=False)),
            is_alarmed=Exists(alarmed),
        )
        .order_by(F("ended_at").asc(nulls_first=True), "name")
    )


def series_named(collection: Collection, name: str) -> Series | None:
    return Series.objects.filter(collection=collection, name=name).select_related("collection").first()


def places_of_series(collection: Collection, words: str) -> list[Place]:
    """What *Find* finds: series in whose name the words stand."""
    named = Series.objects.filter(collection=collection, name__icontains=words).order_by("name")[:MOST_FOUND]
    return [Place(series.name, "", reverse("series", args=[collection.slug, series.pk])) for series in named]


def series_numbered(collection: Collection, pk: int) -> Series | None:
    series = Series.objects.filter(collection=collection, pk=pk).select_related("created_by").first()
    if series is not None:
        series.collection = collection
    return series


def open_alert_of(series: Series) -> SeriesAlert | None:
    return series.alerts.filter(closed_at=None).select_related("series__collection").first()


def open_alerts(collection: Collection) -> QuerySet[SeriesAlert]:
    """Of all series that have not ended, the oldest first."""
    alerts = SeriesAlert.objects.filter(series__collection=collection, series__ended_at=None, closed_at=None)
    return alerts.select_related("series", "point").order_by("opened_at")


def alerts_waiting(collection: Collection) -> Waiting:
    """Open alerts, for the navigation."""
    return Waiting(CountOf(open_alerts(collection)))


def alerts_of(series: Series) -> QuerySet[SeriesAlert]:
    """With `is_open`; the newest first."""
    alerts = series.alerts.select_related("point", "seen_by", "closed_by")
    return alerts.annotate(is_open=Q(closed_at__isnull=True)).order_by("-pk")


class Valued(NamedTuple):
    """Of a point with a value what the rule looks at."""

    pk: int
    time: datetime
    value: float


@dataclass(frozen=True, eq=False)
class SeriesCourse:
    """A series in its course: its points with a value in order of time, from where its history begins on."""

    series: Series
    points: list[Valued]
    closed: list[datetime]  # the last points of closed alerts

    @cached_property
    def value(self) -> Floats:
        """(n_points,)."""
        return np.array([point.value for point in self.points], np.float64)

    @cached_property
    def baseline(self) -> Baseline | None:
        return Baseline.of_facts(self.series.baseline) if self.series.baseline else None

    @property
    def n_history(self) -> int:
        return self.baseline.n_history if self.baseline else 0

    @property
    def new(self) -> list[Valued]:
        """Points after the history, which the rule looks at; all of them where it is limits."""
        if self.series.rule == Series.Rule.LIMITS:
            return self.points
        return self.points[self.n_history :] if self.baseline else []

    @property
    def start(self) -> int:
        """The first new point after all alerts that were closed."""
        until = max(self.closed, default=None)
        return 0 if until is None else sum(point.time <= until for point in self.new)

    @property
    def history(self) -> tuple[int, int] | None:
        """From which point to which the history is, once there are so many that vary; None where there are too few."""
        return history_in(self.value, self.series.n_history)

    @cached_property
    def path(self) -> Path | None:
        """Of the new points: it begins anew after each alert that was closed."""
        if self.baseline is None:
            return None
        times = [point.time for point in self.new]
        anew = frozenset(int(np.searchsorted(times, until, side="right")) for until in self.closed)  # type: ignore[call-overload]
        return path_of(self.baseline, self.value[self.n_history :], anew)


def course_of(series: Series) -> SeriesCourse:
    """Two queries."""
    points = SeriesPoint.objects.filter(series=series, value__isnull=False).order_by("time")
    if series.history_from is not None:
        points = points.filter(time__gte=series.history_from)
    closed = SeriesAlert.objects.filter(series=series, closed_at__isnull=False).values_list("until", flat=True)
    rows = [Valued._make(row) for row in points.values_list("pk", "time", "value")]
    return SeriesCourse(series, rows, [until for until in closed if until is not None])


def last_point(series: Series) -> SeriesPoint | None:
    """The last one with a value."""
    return SeriesPoint.objects.filter(series=series, value__isnull=False).order_by("-time").first()


def all_points(series: Series) -> QuerySet[SeriesPoint]:
    """With a value or missed, in order of time."""
    return SeriesPoint.objects.filter(series=series).select_related("created_by").order_by("time", "pk")


def newest_points(series: Series) -> QuerySet[SeriesPoint]:
    """As `all_points`, the newest first."""
    return all_points(series).order_by("-time", "-pk")


@dataclass(frozen=True)
class Counts:
    """`n` rows: `n_points` with a value, the others say `n_missed` moments; `begin` and `end` are None without any."""

    n: int
    n_points: int
    n_missed: int
    begin: datetime | None
    end: datetime | None


def counts_of(series: Series) -> Counts:
    """One query."""
    counts = SeriesPoint.objects.filter(series=series).aggregate(
        n=Count("pk"), n_points=Count("value"), n_missed=Sum("n_missed", default=0), begin=Min("time"), end=Max("time")
    )
    return Counts(**counts)
