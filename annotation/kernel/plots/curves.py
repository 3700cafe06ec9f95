"""Curves over a few steps, such as a measure at several cutoffs: some stand out and are named, others lie behind."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from annotation.kernel.plots.axis import Tick, axis_over, px
from annotation.kernel.plots.intervals import shortened

WIDTH, HEIGHT, LEFT, RIGHT, FOOT = 760, 420, 56, 190, 40
NARROW_WIDTH, NARROW_HEIGHT, NARROW_LEFT, NARROW_RIGHT, KEY = 340, 280, 50, 24, 18
GAP, NAME_LETTER = 10, 7.2  # between the end of a line and its name; room for a letter of it
LINE = 14  # room that a name takes
LETTER = 6.5  # width of one below the plot
MOST_THICK = 60  # curves; more are drawn thinly


@dataclass(frozen=True)
class Curve:
    """A value a step, None where there is none; `text` is said when it is pointed at, `href` is where it leads."""

    name: str
    values: Sequence[float | None]
    text: str
    is_marked: bool = False
    href: str = ""
    is_dashed: bool = False


class Line(NamedTuple):
    """A tuple, as the marks of `intervals` are."""

    curve: Curve
    points: str  # as SVG's polyline takes them
    name: str
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
    keys: list[Tick]  # where lines are numbered: the height and the name of each
    narrow: "CurvePlot | None" = None  # the same, where the page is narrow

    @property
    def is_dense(self) -> bool:
        return len(self.lines) > MOST_THICK

    @property
    def n_links(self) -> int:
        return sum(bool(line.curve.href) for line in self.lines)


def curve_plot(curves: Sequence[Curve], steps: Sequence[str]) -> CurvePlot:
    """Steps stand at equal distances, in their order; legible with 40 curves, for only marked ones have names."""
    marked = [at for at, curve in enumerate(curves) if curve.is_marked]
    wide = _Layout(WIDTH, HEIGHT, LEFT, RIGHT, {at: _fitting(curves[at].name, RIGHT - GAP) for at in marked})
    numbered = {at: str(number) for number, at in enumerate(marked, 1)}
    narrow = _Layout(NARROW_WIDTH, NARROW_HEIGHT, NARROW_LEFT, NARROW_RIGHT, numbered if len(marked) > 1 else {})
    plot = _drawn(curves, steps, narrow)
    keys = [_fitting(f"{number} {curves[at].name}", NARROW_WIDTH) for at, number in narrow.names.items()]
    heights = [px(plot.height + KEY * row + 8) for row in range(len(keys))]
    below = [Tick(y, key) for y, key in zip(heights, keys, strict=True)]
    return replace(_drawn(curves, steps, wide), narrow=replace(plot, keys=below, height=plot.height + KEY * len(keys)))


@dataclass(frozen=True)
class _Layout:
    """Room around the curves, and what stands beside the end of each that is named, by its place."""

    width: int
    height: int
    left: int
    right: int
    names: dict[int, str]


def _drawn(curves: Sequence[Curve], steps: Sequence[str], layout: _Layout) -> CurvePlot:
    left, right, foot = layout.left, layout.width - layout.right, layout.height - FOOT
    axis = axis_over((value for curve in curves for value in curve.values if value is not None), start=foot, end=8)
    room = (right - left) / max(1, len(steps) - 1)
    name_y = _apart({at: axis.at(curves[at].values[-1] or axis.low) for at in layout.names}, foot)
    lines = []
    for at in sorted(range(len(curves)), key=lambda at: curves[at].is_marked):
        values = enumerate(curves[at].values)
        points = [f"{px(left + room * step)},{px(axis.at(value))}" for step, value in values if value is not None]
        lines.append(Line(curves[at], " ".join(points), layout.names.get(at, ""), px(name_y.get(at, 0.0))))
    across = _named([left + room * step for step in range(len(steps))], steps, layout.width)
    return CurvePlot(lines, across, axis.ticks, layout.width, layout.height, left, right + GAP, foot, [])


def _fitting(name: str, room: float) -> str:
    return shortened(name, int(room / NAME_LETTER))


def _named(xs: Sequence[float], steps: Sequence[str], width: float) -> list[Tick]:
    """Steps with their names, moved inward where they would leave the drawing; of names that would cover the one
    before only the place is left."""
    ticks, end = list[Tick](), -math.inf
    for at, text in zip(xs, steps, strict=True):
        half = LETTER * len(text) / 2
        middle = min(max(at, half), width - half)
        fits = middle - half >= end
        ticks.append(Tick(px(at), text if fits else "", px(middle)))
        end = middle + half + LETTER if fits and text else end
    return ticks


def _apart(ends: dict[int, float], foot: float) -> dict[int, float]:
    """The heights of names, pushed down where they would cover each other, and up where they would leave the plot."""
    heights, order, lowest = dict[int, float](), sorted(ends, key=ends.__getitem__), 0.0
    for at in order:
        heights[at] = lowest = max(ends[at], lowest + LINE)
    for at in reversed(order):
        heights[at] = min(heights[at], foot)
        foot = heights[at] - LINE
    return heights
