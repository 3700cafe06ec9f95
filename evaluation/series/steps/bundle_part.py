"""Series in a bundle, with their points, alerts and notes. Who made, saw or closed them stays
behind; what was due meanwhile is not measured: a schedule goes on from when the bundle came in."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import timezone

from annotation.exchange.steps.bundles import Part, Reference
from annotation.formats.bundle.row_schema import Length, OneOf, Sha, Span
from annotation.formats.bundle.rows import Count, Name
from annotation.formats.objects import Json
from evaluation.engine.drift.rule import Baseline
from evaluation.models import Series, SeriesAlert, SeriesNote, SeriesPoint
from evaluation.series.read.due import next_due
from evaluation.series.steps.measuring import KINDS

SINCE = 6
Whole = Annotated[int, Span(0, 100_000)]
Note = Annotated[str, Length(100_000)]


@dataclass(frozen=True)
class SeriesRow:
    """`of` in the words of its kind; `baseline`: what is usual, frozen from the history, null before that is there."""

    name: Name
    description: Annotated[str, Length(100_000)]
    kind: Annotated[str, OneOf(tuple(Series.Kind.values))]
    of: dict[str, Json]
    bad: Annotated[str, OneOf(tuple(Series.Bad.values))]
    rule: Annotated[str, OneOf(tuple(Series.Rule.values))]
    n_history: Whole
    horizon: Whole
    rate: float
    block: Whole
    low: float | None
    high: float | None
    schedule: Annotated[str, OneOf(tuple(Series.Schedule.values))]
    hour: Annotated[int, Span(0, 23)]
    zone: Annotated[str, Length(64, least=1)]
    history_from: datetime | None
    baseline: dict[str, Json] | None
    created_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True)
class SeriesPointRow:
    """A value, or `n_missed` moments without one."""

    series: Name
    time: datetime
    value: float | None
    low: float | None
    high: float | None
    n_missed: Count
    reason: Note
    source: Annotated[str, OneOf(tuple(SeriesPoint.Source.values))]
    rests_on: Note
    key: Annotated[str, Sha(or_none=True)]
    created_at: datetime


@dataclass(frozen=True)
class SeriesAlertRow:
    """`point`: the time of the point that was above the threshold."""

    series: Name
    point: datetime
    since: datetime
    direction: Annotated[str, OneOf(("up", "down"))]
    level: float
    threshold: float
    opened_at: datetime
    seen_at: datetime | None
    closed_at: datetime | None
    until: datetime | None
    note: Note


@dataclass(frozen=True)
class SeriesNoteRow:
    series: Name
    time: datetime
    text: Annotated[str, Length(100_000, least=1)]
    created_at: datetime


SERIES = Reference("series", Series, {"series": "name"}, "series")
POINT = Reference("point", SeriesPoint, {"point": "time"}, "point", {"series": SERIES}, {"value__isnull": False})


class ManySeries(Part[SeriesRow]):
    name, row, model = "series", SeriesRow, Series
    preview = ("name", "kind", "rule", "schedule")
    since = SINCE

    def fault(self, row: SeriesRow) -> str:
        """What would break where the series is measured, watched or shown."""
        try:
            ZoneInfo(row.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return f"there is no time zone {row.zone}"
        kind = KINDS.get(row.kind)
        wanted = set(kind.fields) - set(kind.optional) if kind else set()
        if not wanted <= row.of.keys() <= set(kind.fields if kind else ()):
            return f"what a series of {row.kind} measures is said by {', '.join(sorted(wanted)) or 'nothing'}"
        return "" if row.baseline is None or _is_baseline(row.baseline) else "its baseline is none of a rule"

    def further_columns(self, rows: Sequence[SeriesRow]) -> dict[str, object]:
        now = timezone.now()
        due = [
            next_due(row.schedule, row.hour, row.zone, now) if row.schedule and row.ended_at is None else None
            for row in rows
        ]
        return {"created_by": self.transfer.actor, "next_due": due}


class SeriesPoints(Part[SeriesPointRow]):
    name, row, model = "series_points", SeriesPointRow, SeriesPoint
    references = (SERIES,)
    since = SINCE

    def fault(self, row: SeriesPointRow) -> str:
        return "" if (row.value is None) == (row.n_missed > 0) else "a point has a value, or moments that were missed"


class SeriesAlerts(Part[SeriesAlertRow]):
    name, row, model = "series_alerts", SeriesAlertRow, SeriesAlert
    references = (SERIES, POINT)
    since = SINCE

    def fault(self, row: SeriesAlertRow) -> str:
        return "" if (row.closed_at is None) == (row.until is None) else "an alert that was closed says until when"

    def insert(self, rows: Sequence[SeriesAlertRow]) -> list[Any]:
        """Django puts in the time of now for when they were opened."""
        alerts = super().insert(rows)
        for alert, row in zip(alerts, rows, strict=True):
            alert.opened_at = row.opened_at
        SeriesAlert.objects.bulk_update(alerts, ["opened_at"])
        return alerts


class SeriesNotes(Part[SeriesNoteRow]):
    name, row, model = "series_notes", SeriesNoteRow, SeriesNote
    references = (SERIES,)
    since = SINCE


def _is_baseline(facts: dict[str, Json]) -> bool:
    kinds = {"method": str, "bad": str, "connected": bool}
    named = {field.name for field in fields(Baseline)}
    numbers = (isinstance(facts[name], kinds.get(name, int | float)) for name in named & facts.keys())
    return facts.keys() == named and all(numbers) and facts["method"] in ("cusum", "page-hinkley")
