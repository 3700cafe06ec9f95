"""A figure a step, as bars that stand side by side: counts in bins of equal width, or of a few things with names."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from annotation.kernel.plots.axis import Axis, Tick, px

FOOT = 40
LETTER, MOST_WIDE = 7.2, 60  # of a bar with a name


@dataclass(frozen=True)
class Bar:
    """`text` is said when it is pointed at; `name` stands beneath it, where bars have names."""

    value: float
    text: str
    name: str = ""


@dataclass(frozen=True)
class Placed:
    bar: Bar
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True)
class BarPlot:
    bars: list[Placed]
    across: list[Tick]
    upwards: list[Tick]
    width: int
    height: int
    left: int
    foot: int
    is_named: bool
    narrow: "BarPlot | None" = None  # the same, where the page is narrow


@dataclass(frozen=True)
class _Room:
    width: int
    height: int
    left: int = 56
    right: int = 16


WIDE, NARROW = _Room(760, 300), _Room(340, 240, right=12)
Across = Callable[[_Room], list[Tick]]


def bar_plot(bars: Sequence[Bar], low: float, high: float) -> BarPlot:
    """One bar at least, none below 0; the bars fill the axis from `low` to `high` in their order."""

    def across(room: _Room) -> list[Tick]:
        return Axis(low, high, room.left, room.width - room.right).ticks

    return _both(bars, across)


def named_bar_plot(bars: Sequence[Bar]) -> BarPlot:
    """One bar at least, none below 0, each with its name beneath; of many names only some stand there."""

    def across(room: _Room) -> list[Tick]:
        step = _step(len(bars), room)
        every = math.ceil(LETTER * (1 + max(len(bar.name) for bar in bars)) / step)
        return [Tick(px(room.left + step * (at + 0.5)), bars[at].name) for at in range(0, len(bars), every)]

    return _both(bars, across)


def _both(bars: Sequence[Bar], across: Across) -> BarPlot:
    return replace(_drawn(bars, across, WIDE), narrow=_drawn(bars, across, NARROW))


def _drawn(bars: Sequence[Bar], across: Across, room: _Room) -> BarPlot:
    foot, step = room.height - FOOT, _step(len(bars), room)
    upwards, wide = Axis(0.0, max(bar.value for bar in bars) * 1.04 or 1.0, foot, 8), 0.8 * step
    is_named = any(bar.name for bar in bars)
    if is_named:
        wide = min(wide, MOST_WIDE)
    placed = [
        Placed(
            bar,
            px(room.left + step * (at + 0.5) - wide / 2),
            px(upwards.at(bar.value)),
            px(wide),
            px(foot - upwards.at(bar.value)),
        )
        for at, bar in enumerate(bars)
    ]
    return BarPlot(placed, across(room), _upwards(upwards, bars), room.width, room.height, room.left, foot, is_named)


def _upwards(axis: Axis, bars: Sequence[Bar]) -> list[Tick]:
    """Beside counts stand whole numbers alone."""
    if not all(float(bar.value).is_integer() for bar in bars):
        return axis.ticks
    parts = [(tick.at, *tick.text.split(".")) for tick in axis.ticks]
    return [Tick(at, whole) for at, whole, *decimals in parts if not "".join(decimals).strip("0")]


def _step(n_bars: int, room: _Room) -> float:
    return (room.width - room.right - room.left) / n_bars
