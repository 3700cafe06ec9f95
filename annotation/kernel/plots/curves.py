"""Curves over a few steps, such as a measure at several cutoffs: some stand out and are named, others lie behind."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.kernel.plots.axis import Tick, axis_over, place

WIDTH, HEIGHT, LEFT, RIGHT, FOOT = 760, 420, 56, 190, 40
LINE = 14  # room that a name takes


@dataclass(frozen=True)
class Curve:
    """A value a step, None where there is none; `text` is said when it is pointed at."""

    name: str
    values: Sequence[float | None]
    text: str
    is_marked: bool = False


@dataclass(frozen=True)
class Line:
    curve: Curve
    points: str  # as SVG's polyline takes them
    name_y: str


@dataclass(frozen=True)
class CurvePlot:
    lines: list[Line]  # the marked ones last, on top
    across: list[Tick]
    upwards: list[Tick]
    width: int
    height: int
    left: int
    names_at: int
    foot: int


def curve_plot(curves: Sequence[Curve], steps: Sequence[str]) -> CurvePlot:
    """Steps stand at equal distances, in their order; legible with 40 curves, for only marked ones have names."""
    right, foot = WIDTH - RIGHT, HEIGHT - FOOT
    axis = axis_over((value for curve in curves for value in curve.values if value is not None), start=foot, end=8)
    room = (right - LEFT) / max(1, len(steps) - 1)
    ends = {at: axis.at(curve.values[-1] or axis.low) for at, curve in enumerate(curves) if curve.is_marked}
    name_y = _apart(ends)
    lines = []
    for at in sorted(range(len(curves)), key=lambda at: curves[at].is_marked):
        values = enumerate(curves[at].values)
        points = [f"{place(LEFT + room * step)},{place(axis.at(value))}" for step, value in values if value is not None]
        lines.append(Line(curves[at], " ".join(points), place(name_y.get(at, 0.0))))
    across = [Tick(place(LEFT + room * step), text) for step, text in enumerate(steps)]
    return CurvePlot(lines, across, axis.ticks, WIDTH, HEIGHT, LEFT, right + 10, foot)


def _apart(ends: dict[int, float]) -> dict[int, float]:
    """The heights of names, pushed down where they would cover each other."""
    heights: dict[int, float] = {}
    lowest = 0.0
    for at, y in sorted(ends.items(), key=lambda pair: pair[1]):
        heights[at] = lowest = max(y, lowest + LINE)
    return heights
