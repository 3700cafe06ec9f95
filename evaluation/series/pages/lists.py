"""The list of series, and those of the points and alerts of one."""

from typing import Any

from django.urls import reverse

from annotation.kernel.list_columns import linked, moments, numbers, people, texts
from annotation.kernel.listing import Listed, Listing, Only
from annotation.kernel.page_tables import UNKNOWN
from annotation.kernel.tables import Cell, Kind, Shown
from annotation.models import Collection
from annotation.text.figures import number
from evaluation.models import Series, SeriesAlert, SeriesPoint
from evaluation.series.pages.words import STATES, words_of_kind, words_of_schedule

ABOVE = {"up": "above", "down": "below"}


def series_listing(collection: Collection) -> Listing[Any]:
    """Of `series_of`."""

    def address(series: Series) -> str:
        return reverse("series", args=[collection.slug, series.pk])

    return Listing(
        "Series",
        (
            linked("Series", "name", lambda series: series.name, address, by="name"),
            Listed(
                "state",
                lambda series: _state(series)[0],
                look="fit",
                shown=Shown("State", _state_cell, is_numeric=False),
            ),
            texts("What is measured", "measured", words_of_kind),
            texts("When", "schedule", words_of_schedule),
            numbers("Points", "points", lambda series: series.n_points, by="n_points"),
            moments("Last point", "last", lambda series: series.last_time, by="last_time"),
            moments("Since", "since", lambda series: series.created_at, by="created_at", form="j M Y"),
        ),
        search=("name", "description"),
        hint="Name or description",
        filters=(
            Only("kind", "What is measured", "kind", Series.Kind.choices),
            Only("alert", "Alert", "is_alarmed", [("True", "open"), ("False", "none open")]),
        ),
        nothing="No series is like that.",
    )


def point_listing(series: Series) -> Listing[SeriesPoint]:
    """Of `newest_points`, those that were missed among them."""
    return Listing(
        "Points",
        (
            moments("Time", "time", lambda point: point.time, by="time"),
            _figure("Value", "value", by="value"),
            _figure("Low", "low"),
            _figure("High", "high"),
            numbers("Missed", "missed", lambda point: point.n_missed or None, by="n_missed", is_folded=True),
            texts("Came by", "source", _source),
            texts("Rests on", "rests_on", _rests_on, is_long=True),
        ),
        search=("reason", "rests_on"),
        hint="Source or why none came",
        filters=(Only("source", "Came by", "source", SeriesPoint.Source.choices),),
        nothing="No point is like that.",
        heading_id="points",
        file=series.name,
    )


def alert_listing(series: Series) -> Listing[SeriesAlert]:
    """Of `alerts_of`."""
    return Listing(
        "Alerts",
        (
            moments("At", "at", lambda alert: alert.point.time, by="point__time"),
            texts("Runs", "runs", lambda alert: ABOVE[alert.direction], by="direction", is_narrow=True),
            moments("Since, by the path", "since", lambda alert: alert.since, by="since"),
            people("Seen", "seen", lambda alert: alert.seen_by, by="seen_by", nobody=""),
            moments("Closed", "closed", lambda alert: alert.closed_at, by="closed_at"),
            people("By", "by", lambda alert: alert.closed_by, by="closed_by", nobody=""),
            texts("Note", "note", lambda alert: alert.note),
        ),
        search=("note",),
        hint="Note",
        filters=(
            Only("open", "State", "is_open", [("True", "open"), ("False", "closed")]),
            Only("runs", "Runs", "direction", list(ABOVE.items())),
        ),
        nothing="No alert is like that.",
        heading_id="alerts",
        prefix="alert-",
        file=series.name,
    )


def _state(series: Any) -> tuple[str, str]:
    """In a word, and its tone; `STATES` has those of the page of one."""
    if series.ended_at:
        return "ended", "plain"
    if series.is_alarmed:
        return STATES["alert"]
    if not series.n_points:
        return "no point yet", "info"
    return STATES["usual" if series.baseline or series.rule == Series.Rule.LIMITS else "history"]


def _state_cell(series: Any) -> Cell:
    text, tone = _state(series)
    return Cell(text, tone=tone)


def _figure(head: str, name: str, *, by: str = "") -> Listed[SeriesPoint]:
    def value(point: SeriesPoint) -> float | None:
        figure: float | None = getattr(point, name)
        return figure

    def cell(point: SeriesPoint) -> Cell:
        figure = value(point)
        return Cell(UNKNOWN if figure is None else number(figure).replace("-", "−"))

    return Listed(name, value, Kind.NUMBER, by=by, shown=Shown(head, cell))


def _source(point: SeriesPoint) -> str:
    by = f", {point.created_by.username}" if point.created_by else ""
    return f"{point.get_source_display().lower()}{by}"


def _rests_on(point: SeriesPoint) -> str:
    return f"{point.n_missed} missed up to then. {point.reason}" if point.n_missed else point.rests_on
