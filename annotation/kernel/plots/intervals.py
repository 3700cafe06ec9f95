"""Figures with their intervals, a row each: names at the left, figures along the axis below."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from annotation.kernel.plots.axis import Axis, Tick, apart, axis_over, px
from annotation.text.counted import percent

WIDTH, ROW, FOOT = 760, 20, 26
NARROW_WIDTH, NARROW_ROW = 340, 36  # on a phone: names stand above their intervals
NARROW_EDGE = 20  # room for half a figure of the axis
LETTER, MOST_LETTERS, MOST_NARROW = 7.2, 30, 45
MOST_NAMED, DENSE_ROW = 60, 4  # rows with names; of more only the marked ones are named, and all are thin
NAME = 14  # height that a name takes


@dataclass(frozen=True)
class Estimate:
    """What a row shows; `text` is said when it is pointed at, `is_marked` makes it stand out, `href` is where it
    leads."""

    name: str
    value: float
    low: float | None
    high: float | None
    text: str
    is_marked: bool = False
    href: str = ""


def estimate(name: str, value: float, low: float | None = None, high: float | None = None, **more: Any) -> Estimate:
    """Its figures are what is said when it is pointed at; `more` as `Estimate` has it."""
    interval = "" if low is None or high is None else f" ({low:.3f} to {high:.3f})"
    return Estimate(name, value, low, high, f"{name}: {value:.3f}{interval}", **more)


def share(name: str, value: float, low: float | None = None, high: float | None = None, **more: Any) -> Estimate:
    """The same of a share from 0 to 1, said in percent."""
    interval = "" if low is None or high is None else f" ({percent(low)} to {percent(high)})"
    return Estimate(name, value, low, high, f"{name}: {percent(value)}{interval}", **more)


class Mark(NamedTuple):
    """An estimate in its place; `low` and `high` are where the interval ends, equal to `value` where there is none.

    A tuple, since hundreds are drawn twice: a template that takes it apart is done in three quarters of the time.
    """

    estimate: Estimate
    name: str  # shortened to its room
    name_y: str
    y: str
    value: str
    low: str
    high: str


@dataclass(frozen=True)
class IntervalPlot:
    marks: list[Mark]
    ticks: list[Tick]
    names_end: str
    width: int
    height: int
    foot: str  # where the axis is
    is_dense: bool
    limit: str = ""  # where a dashed line stands; empty without one
    narrow: "IntervalPlot | None" = None  # the same, where the page is narrow

    @property
    def n_links(self) -> int:
        return sum(bool(mark.estimate.href) for mark in self.marks)


def interval_plot(rows: Sequence[Estimate], limit: float | None = None) -> IntervalPlot:
    """In the order of the rows, the first on top; the drawing grows with each, and of very many shows the shape.
    `limit`: a figure that all are held against."""
    if len(rows) > MOST_NAMED:
        return replace(_dense_plot(rows, limit, WIDTH), narrow=_dense_plot(rows, limit, NARROW_WIDTH))
    letters = min(MOST_LETTERS, max((len(row.name) for row in rows), default=0))
    names_end, foot = 16 + LETTER * letters, ROW * len(rows) + 6
    axis = _axis(rows, limit, names_end + 12, WIDTH - 16)
    y = [ROW * (at + 0.5) + 2 for at in range(len(rows))]
    marks = [_mark(row, axis, shortened(row.name, letters), at, name_y=at) for row, at in zip(rows, y, strict=True)]
    return IntervalPlot(
        marks,
        axis.ticks,
        px(names_end),
        WIDTH,
        foot + FOOT,
        px(foot),
        is_dense=False,
        limit=_limit(axis, limit),
        narrow=_narrow_plot(rows, limit),
    )


def share_plot(rows: Sequence[Estimate], limit: float | None = None) -> IntervalPlot:
    """Of shares from 0 to 1, along an axis in percent."""
    return interval_plot([_in_percent(row) for row in rows], None if limit is None else 100 * limit)


def _in_percent(row: Estimate) -> Estimate:
    low, high = (None if end is None else 100 * end for end in (row.low, row.high))
    return replace(row, value=100 * row.value, low=low, high=high)


def _narrow_plot(rows: Sequence[Estimate], limit: float | None) -> IntervalPlot:
    """Names above their intervals, which have the whole width."""
    axis, foot = _axis(rows, limit, NARROW_EDGE, NARROW_WIDTH - NARROW_EDGE), NARROW_ROW * len(rows) + 4
    marks = [
        _mark(row, axis, shortened(row.name, MOST_NARROW), NARROW_ROW * at + 27, name_y=NARROW_ROW * at + 11)
        for at, row in enumerate(rows)
    ]
    at = _limit(axis, limit)
    return IntervalPlot(marks, axis.ticks, px(2), NARROW_WIDTH, foot + FOOT, px(foot), is_dense=False, limit=at)


def _dense_plot(rows: Sequence[Estimate], limit: float | None, width: int) -> IntervalPlot:
    """Thin rows close to each other; names of marked ones in room of their own."""
    letters = max((min(MOST_LETTERS, len(row.name)) for row in rows if row.is_marked), default=0)
    names_end, foot = (LETTER + 1) * letters + 4, DENSE_ROW * len(rows) + 8
    axis = _axis(rows, limit, names_end + 12, width - 16)
    y = [DENSE_ROW * (at + 0.5) + 4 for at in range(len(rows))]
    named = [shortened(row.name, letters) if row.is_marked else "" for row in rows]
    heights = iter(apart([at for at, name in zip(y, named, strict=True) if name], room=NAME, foot=foot))
    name_y = [next(heights) if name else at for at, name in zip(y, named, strict=True)]
    lines = zip(rows, named, y, name_y, strict=True)
    marks = [_mark(row, axis, name, at, name_y=beside) for row, name, at, beside in lines]
    names, at = px(names_end), _limit(axis, limit)
    return IntervalPlot(marks, axis.ticks, names, width, foot + FOOT, px(foot), is_dense=True, limit=at)


def _limit(axis: Axis, limit: float | None) -> str:
    return "" if limit is None else px(axis.at(limit))


def _axis(rows: Sequence[Estimate], limit: float | None, start: float, end: float) -> Axis:
    figures = [each for row in rows for each in (row.value, row.low, row.high)]
    ends = [each for each in (*figures, limit) if each is not None]
    return axis_over(ends, start=start, end=end)


def _mark(row: Estimate, axis: Axis, name: str, y: float, *, name_y: float) -> Mark:
    low, high = (row.value if end is None else end for end in (row.low, row.high))
    return Mark(row, name, px(name_y), px(y), px(axis.at(row.value)), px(axis.at(low)), px(axis.at(high)))


def shortened(name: str, letters: int) -> str:
    return name if len(name) <= letters else f"{name[: letters - 1]}…"
