"""A series as coordinates for a template: values with what is usual, the path below, what else happened above."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.kernel.plots.axis import Axis, Tick, axis_over, px
from annotation.text.figures import number
from evaluation.models import Series, SeriesAlert, SeriesNote, SeriesPoint
from evaluation.series.pages.time_axis import time_axis, time_ticks
from evaluation.series.read.changes import Change
from evaluation.series.read.series import SeriesCourse

WIDTH, LEFT, RIGHT = 760, 62, 44  # half of the longest name of a moment
LANE, TOP, FOOT = 12, 30, 270  # where changes stand; the panel of values
PATH_TOP, PATH_FOOT, HEIGHT = 296, 376, 412  # the panel of the path
USUAL = 2  # deviations of the band


@dataclass(frozen=True)
class Dot:
    """`low` and `high` are the ends of its interval, empty for none."""

    x: str
    y: str
    low: str
    high: str
    kind: str  # point, alarm
    text: str


@dataclass(frozen=True)
class Mark:
    x: str
    kind: str
    text: str


@dataclass(frozen=True)
class Area:
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True)
class Level:
    y: str
    text: str


@dataclass(frozen=True)
class SeriesPlot:
    lines: list[str]
    dots: list[Dot]
    missed: list[Mark]
    changes: list[Mark]
    notes: list[Mark]
    alerts: list[Area]
    history: Area | None
    band: Area | None
    levels: list[Level]
    across: list[Tick]
    upwards: list[Tick]
    path: str
    threshold: Level | None
    width: int = WIDTH
    left: int = LEFT
    top: int = TOP
    foot: int = FOOT
    lane: int = LANE

    @property
    def bottom(self) -> int:
        """Where the axis of time is."""
        return PATH_FOOT if self.path else FOOT

    @property
    def height(self) -> int:
        return HEIGHT if self.path else FOOT + HEIGHT - PATH_FOOT


@dataclass(frozen=True)
class Drawn:
    """What a plot is made of: all points in order of time, those that were missed among them."""

    course: SeriesCourse
    points: Sequence[SeriesPoint]
    alerts: Sequence[SeriesAlert]
    notes: Sequence[SeriesNote]
    changes: Sequence[Change]


def series_plot(drawn: Drawn) -> SeriesPlot | None:
    """None without a point."""
    values = [point for point in drawn.points if point.value is not None]
    if not values:
        return None
    x = time_axis(drawn.points[0].time, drawn.points[-1].time, start=LEFT, stop=WIDTH - RIGHT)
    y = axis_over(_heights(drawn, values), start=FOOT, end=TOP)
    path, threshold = _path(drawn.course, x)
    return SeriesPlot(
        lines=_lines(drawn.points, x, y),
        dots=[_dot(point, drawn, x, y) for point in values],
        missed=[_missed(point, x) for point in drawn.points if point.value is None],
        changes=[_mark(each.first, each.kind, _words(each), x) for each in drawn.changes],
        notes=[_mark(note.time, "note", f"{note.time:%-d %b %Y}: {note.text}", x) for note in drawn.notes],
        alerts=[_span(alert, values[-1].time, x) for alert in drawn.alerts],
        history=_history(drawn.course, x),
        band=_band(drawn.course, y),
        levels=_levels(drawn.course.series, y),
        across=time_ticks(x),
        upwards=y.ticks,
        path=path,
        threshold=threshold,
    )


def _heights(drawn: Drawn, values: Sequence[SeriesPoint]) -> list[float]:
    series, baseline = drawn.course.series, drawn.course.baseline
    heights = [end for point in values for end in (point.value, point.low, point.high) if end is not None]
    heights += [limit for limit in (series.low, series.high) if limit is not None]
    if baseline:
        heights += [baseline.mean - USUAL * baseline.deviation, baseline.mean + USUAL * baseline.deviation]
    return heights


def _dot(point: SeriesPoint, drawn: Drawn, x: Axis, y: Axis) -> Dot:
    alarm = any(alert.point_id == point.pk for alert in drawn.alerts)
    low, high = ("" if end is None else px(y.at(end)) for end in (point.low, point.high))
    words = f"{point.time:%-d %b %Y, %H:%M}: {number(point.value or 0.0)}"
    text = f"{words}, alert" if alarm else words
    at = px(x.at(point.time.timestamp())), px(y.at(point.value or 0.0))
    return Dot(*at, low or at[1], high or at[1], "alarm" if alarm else "point", text)


def _missed(point: SeriesPoint, x: Axis) -> Mark:
    words = f"{point.n_missed} missed up to {point.time:%-d %b %Y, %H:%M}. {point.reason}"
    return _mark(point.time, "missed", words, x)


def _words(change: Change) -> str:
    times = f"{change.n} times " if change.n > 1 else ""
    about = f": {', '.join(change.subjects)}" if change.subjects else ""
    return f"{change.first:%-d %b %Y}, {times}{change.words}{about}"


def _mark(time: datetime, kind: str, text: str, x: Axis) -> Mark:
    at = min(max(time.timestamp(), x.low), x.high)
    return Mark(px(x.at(at)), kind, text)


def _span(alert: SeriesAlert, last: datetime, x: Axis) -> Area:
    return _area(x, alert.since, alert.until or last, TOP, FOOT)


def _history(course: SeriesCourse, x: Axis) -> Area | None:
    if not course.n_history:
        return None
    points = course.points[: course.n_history]
    return _area(x, points[0].time, points[-1].time, TOP, FOOT)


def _area(x: Axis, begin: datetime, end: datetime, top: float, foot: float) -> Area:
    left, right = (x.at(min(max(time.timestamp(), x.low), x.high)) for time in (begin, end))
    return Area(px(left - 3), px(top), px(max(right - left, 0) + 6), px(foot - top))


def _band(course: SeriesCourse, y: Axis) -> Area | None:
    baseline = course.baseline
    if baseline is None:
        return None
    low, high = (y.at(baseline.mean + sign * USUAL * baseline.deviation) for sign in (-1, 1))
    return Area(px(LEFT), px(high), px(WIDTH - LEFT), px(low - high))


def _levels(series: Series, y: Axis) -> list[Level]:
    limits = (("lowest", series.low), ("highest", series.high))
    return [Level(px(y.at(limit)), f"{name} {number(limit)}") for name, limit in limits if limit is not None]


def _path(course: SeriesCourse, x: Axis) -> tuple[str, Level | None]:
    """As a line, and where the threshold is."""
    path, baseline = course.path, course.baseline
    if path is None or baseline is None or not course.new:
        return "", None
    up = Axis(0.0, max(baseline.threshold, float(path.level.max())) * 1.1, PATH_FOOT, PATH_TOP)
    heights = [up.at(level) for level in path.level.tolist()]
    steps = [(point.time, y) for point, y in zip(course.new, heights, strict=True) if point.time.timestamp() >= x.low]
    return _line(steps, x), Level(px(up.at(baseline.threshold)), f"threshold {baseline.threshold:.1f}")


def _lines(points: Sequence[SeriesPoint], x: Axis, y: Axis) -> list[str]:
    """Through the values; none goes over a moment that was missed."""
    parts: list[list[tuple[datetime, float]]] = [[]]
    for point in points:
        if point.value is None:
            parts.append([])
        else:
            parts[-1].append((point.time, y.at(point.value)))
    return [_line(part, x) for part in parts if part]


def _line(points: Sequence[tuple[datetime, float]], x: Axis) -> str:
    return " ".join(f"{px(x.at(time.timestamp()))},{px(y)}" for time, y in points)
