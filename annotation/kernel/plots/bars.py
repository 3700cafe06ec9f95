"""A figure a step, as bars that stand side by side, such as counts in bins of equal width."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.kernel.plots.axis import Axis, Tick, place

WIDTH, HEIGHT, LEFT, RIGHT, FOOT = 760, 300, 56, 16, 40


@dataclass(frozen=True)
class Bar:
    """`text` is said when it is pointed at."""

    value: float
    text: str


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


def bar_plot(bars: Sequence[Bar], low: float, high: float) -> BarPlot:
    """One bar at least, none below 0; the bars fill the axis from `low` to `high` in their order."""
    foot = HEIGHT - FOOT
    upwards = Axis(0.0, max(bar.value for bar in bars) * 1.04 or 1.0, foot, 8)
    across = Axis(low, high, LEFT, WIDTH - RIGHT)
    room = (WIDTH - RIGHT - LEFT) / len(bars)
    placed = [
        Placed(
            bar,
            place(LEFT + room * (at + 0.1)),
            place(upwards.at(bar.value)),
            place(room * 0.8),
            place(foot - upwards.at(bar.value)),
        )
        for at, bar in enumerate(bars)
    ]
    return BarPlot(placed, across.ticks, upwards.ticks, WIDTH, HEIGHT, LEFT, foot)
