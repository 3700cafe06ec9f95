"""Small plots as coordinates for a template: bars over days, and values with intervals along the time of work.

Texts stay readable on a phone because a plot is never drawn wider than it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

WIDTH, HEIGHT = 340, 150
LEFT, RIGHT, TOP, BOTTOM = 40, 8, 10, 22
SPARK_WIDTH, SPARK_HEIGHT = 84, 20
DAYS_WITH_HOURS = timedelta(days=3)
LEAST_APART = 14  # of two ticks, so that their texts do not touch


@dataclass(frozen=True)
class Mark:
    """A point with its interval, or a bar, in units of the plot; `text` says what it is."""

    x: str
    y: str
    low: str
    high: str
    width: str
    height: str
    text: str


@dataclass(frozen=True)
class Tick:
    at: str
    text: str


@dataclass(frozen=True)
class Plot:
    """`name`: what a screen reader says in its place; the table beside it has the figures."""

    name: str
    marks: list[Mark]
    ticks: list[Tick]  # of the vertical axis
    ends: tuple[str, str]  # what stands below the left and the right end
    width: int = WIDTH
    height: int = HEIGHT
    line: str = ""  # points of a line through the values
    threshold: str = ""  # height of a dashed line; empty for none
    ahead: str = ""  # points of a dotted line, what is forecast; empty for none
    plan: str = ""  # points of a thin line, the even pace that ends on the day due; empty for none


@dataclass(frozen=True)
class Point:
    """None where there is no value, or no interval."""

    value: float | None
    low: float | None
    high: float | None
    text: str


def bars_plot(name: str, values: Sequence[int], texts: Sequence[str], ends: tuple[str, str]) -> Plot:
    top = max([*values, 1])
    step = (WIDTH - LEFT - RIGHT) / max(len(values), 1)
    marks = []
    for i, (value, text) in enumerate(zip(values, texts, strict=True)):
        y = _height(value, 0, top)
        x, width = LEFT + i * step + 0.1 * step, min(0.8 * step, 40)
        marks.append(_mark(x, y, y, y, width=width, height=HEIGHT - BOTTOM - y, text=text))
    ticks = [Tick(_at(_height(value, 0, top)), f"{value:,}") for value in sorted({0, top})]
    return Plot(name, marks, ticks, ends)


def series_plot(
    name: str,
    points: Sequence[Point],
    ends: tuple[str, str],
    *,
    threshold: float | None = None,
    is_share: bool = False,
) -> Plot:
    """Values from 0 to 1 (lower where one is), in the order of time."""
    values = [value for point in points for value in (point.value, point.low) if value is not None]
    bottom = min([0.0, *values])
    step = (WIDTH - LEFT - RIGHT) / max(len(points), 1)
    marks = []
    for i, point in enumerate(points):
        if point.value is not None:
            low, high = (point.value if end is None else end for end in (point.low, point.high))
            ys = (_height(value, bottom, 1) for value in (point.value, low, high))
            marks.append(_mark(LEFT + (i + 0.5) * step, *ys, text=point.text))
    line = " ".join(f"{mark.x},{mark.y}" for mark in marks)
    limit = "" if threshold is None else _at(_height(threshold, bottom, 1))
    ticks = _series_ticks(bottom, _percents if is_share else _decimal)
    return Plot(name, marks, ticks, ends, line=line, threshold=limit)


def plan_plot(
    name: str,
    reached: Sequence[tuple[datetime, int]],
    planned: int,
    end: datetime | None,
    due: datetime | None = None,
) -> Plot:
    """What was reached in the course of time, below all that is planned; dotted on to the end that is forecast, and
    beside the even pace to the moment it is due."""
    first, last = reached[0][0], reached[-1][0]
    length, top = max(end or last, due or last, last) - first, max(planned, reached[-1][1], 1)
    form = "%-d %b" if length > DAYS_WITH_HOURS else "%-d %b, %H:%M"

    def across(at: datetime) -> float:
        return LEFT + (at - first) / (length or timedelta(seconds=1)) * (WIDTH - LEFT - RIGHT)

    marks = []
    for at, n in reached:
        y = _height(n, 0, top)
        marks.append(_mark(across(at), y, y, y, text=f"{at:%-d %b, %H:%M}: {n:,} of {planned:,}"))
    ticks = [Tick(_at(_height(value, 0, top)), f"{value:,}") for value in (0, top)]
    goal = _at(_height(planned, 0, top))
    ahead = f"{marks[-1].x},{marks[-1].y} {_at(across(end))},{goal}" if end else ""
    plan = f"{_at(across(first))},{_at(_height(0, 0, top))} {_at(across(due))},{goal}" if due and due > first else ""
    line = " ".join(f"{mark.x},{mark.y}" for mark in marks)
    ends = (f"{first:{form}}", f"{first + length:{form}}")
    return Plot(name, marks, ticks, ends, line=line, threshold=goal, ahead=ahead, plan=plan)


def spark(values: Sequence[int], name: str) -> Plot:
    """Bars without axes, for a cell of a table."""
    top, step = max([*values, 1]), SPARK_WIDTH / max(len(values), 1)
    marks = []
    for i, value in enumerate(values):
        height = max(1.5 if value else 0.0, value / top * SPARK_HEIGHT)
        y = SPARK_HEIGHT - height
        marks.append(_mark(i * step, y, y, y, width=0.8 * step, height=height, text=""))
    return Plot(name, marks, [], ("", ""), SPARK_WIDTH, SPARK_HEIGHT)


def interval_plot(value: float, low: float, high: float, threshold: float, name: str) -> Plot:
    """A share with its interval, lying, for a cell of a table."""
    mark = _mark(value * SPARK_WIDTH, SPARK_HEIGHT / 2, low * SPARK_WIDTH, high * SPARK_WIDTH, text="")
    return Plot(name, [mark], [], ("", ""), SPARK_WIDTH, SPARK_HEIGHT, threshold=_at(threshold * SPARK_WIDTH))


def _series_ticks(bottom: float, text: Callable[[float], str]) -> list[Tick]:
    """0 and 1, and of the lower end and 0.5 what keeps clear of them: texts never touch."""
    values: list[float] = []
    for value in (0.0, 1.0, bottom, 0.5):
        at = _height(value, bottom, 1)
        if all(abs(at - _height(other, bottom, 1)) >= LEAST_APART for other in values):
            values.append(value)
    return [Tick(_at(_height(v, bottom, 1)), text(v)) for v in sorted(values)]


def _percents(value: float) -> str:
    return f"{100 * value:.0f}"


def _decimal(value: float) -> str:
    return f"{value:.1f}".replace("-", "−")


def _height(value: float, bottom: float, top: float) -> float:
    room = HEIGHT - TOP - BOTTOM
    return TOP + room * (1 - (value - bottom) / (top - bottom))


def _mark(x: float, y: float, low: float, high: float, *, width: float = 0, height: float = 0, text: str) -> Mark:
    return Mark(_at(x), _at(y), _at(low), _at(high), _at(width), _at(height), text)


def _at(value: float) -> str:
    return f"{value:.1f}"
