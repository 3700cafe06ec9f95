"""Figures with their intervals, a row each: names at the left, figures along the axis below."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.kernel.plots.axis import Tick, axis_over, place

WIDTH, ROW, FOOT = 760, 20, 26
LETTER, MOST_LETTERS = 7.2, 30


@dataclass(frozen=True)
class Estimate:
    """What a row shows; `text` is said when it is pointed at, `is_marked` makes it stand out."""

    name: str
    value: float
    low: float | None
    high: float | None
    text: str
    is_marked: bool = False


@dataclass(frozen=True)
class Mark:
    """An estimate in its place; `low` and `high` are where the interval ends, equal to `value` where there is none."""

    estimate: Estimate
    name: str  # shortened to its room
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


def interval_plot(rows: Sequence[Estimate]) -> IntervalPlot:
    """In the order of the rows, the first on top; legible with 40 of them, for the drawing grows with each."""
    letters = min(MOST_LETTERS, max((len(row.name) for row in rows), default=0))
    names_end = 16 + LETTER * letters
    ends = [end for row in rows for end in (row.value, row.low, row.high) if end is not None]
    axis, foot = axis_over(ends, start=names_end + 12, end=WIDTH - 16), ROW * len(rows) + 6
    marks = [
        Mark(
            row,
            shortened(row.name, letters),
            place(ROW * (at + 0.5) + 2),
            place(axis.at(row.value)),
            place(axis.at(row.value if row.low is None else row.low)),
            place(axis.at(row.value if row.high is None else row.high)),
        )
        for at, row in enumerate(rows)
    ]
    return IntervalPlot(marks, axis.ticks, place(names_end), WIDTH, foot + FOOT, place(foot))


def shortened(name: str, letters: int) -> str:
    return name if len(name) <= letters else f"{name[: letters - 1]}…"
