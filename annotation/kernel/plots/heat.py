"""A share for each of two kinds of things, as shaded squares with their figures: rows and columns lead somewhere."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from annotation.kernel.plots.axis import px
from annotation.kernel.plots.intervals import shortened

WIDTH, ROW, MOST_WIDE, LETTERS = 760, 20, 60, 16  # LETTERS: of the name of a row
NARROW_WIDTH, NARROW_ROW, NARROW_SIDE, NARROW_LETTERS = 340, 28, 26, 10  # on a phone: as many columns as have room
COLUMN_LETTERS = 22
LETTER, GAP, FOOT = 7.8, 8, 24  # room that a figure of a name takes; between names and squares; room of a line below
DARKEST = 0.46  # opacity beneath ink that is read well on it


@dataclass(frozen=True)
class Head:
    """What a row or a column is of; `text` is said when it is pointed at, `href` is where it leads."""

    name: str
    text: str
    href: str = ""


@dataclass(frozen=True)
class Share:
    """From 0 to 1; `text` is said when it is pointed at."""

    value: float
    text: str


class Square(NamedTuple):
    """A tuple, as the marks of `intervals` are."""

    share: Share
    x: str
    y: str
    middle: str  # where its percentage stands
    percent: str
    opacity: str


@dataclass(frozen=True)
class Placed:
    head: Head
    name: str  # shortened to its room
    at: str


@dataclass(frozen=True)
class HeatPlot:
    squares: list[Square]
    rows: list[Placed]
    columns: list[Placed]
    left: str
    top: str
    side: str
    row: int
    width: int
    height: int
    rest: int = 0  # columns for which there is no room
    narrow: "HeatPlot | None" = None  # the same, where the page is narrow

    @property
    def drop(self) -> int:
        """From the top of a square to the foot of its figure."""
        return self.row // 2 + 4

    @property
    def n_links(self) -> int:
        return sum(bool(each.head.href) for each in (*self.rows, *self.columns))


class _Room(NamedTuple):
    width: int
    row: int
    least: float  # of a column's width
    letters: int


WIDE, NARROW = _Room(WIDTH, ROW, 0, LETTERS), _Room(NARROW_WIDTH, NARROW_ROW, NARROW_SIDE, NARROW_LETTERS)


def heat_plot(rows: Sequence[Head], columns: Sequence[Head], shares: Sequence[Sequence[Share | None]]) -> HeatPlot:
    """The more, the darker; `shares` row by row, None is left blank. A row and a column at least, and columns no more
    than some twenty; on a narrow page the first ones."""
    return replace(_drawn(rows, columns, shares, WIDE), narrow=_drawn(rows, columns, shares, NARROW))


def _drawn(
    rows: Sequence[Head], columns: Sequence[Head], shares: Sequence[Sequence[Share | None]], room: _Room
) -> HeatPlot:
    left, top = _length(rows, room.letters) + GAP, _length(columns, COLUMN_LETTERS) + GAP
    n_fitting = min(len(columns), int((room.width - left) / room.least)) if room.least else len(columns)
    side = min(MOST_WIDE, (room.width - left) / n_fitting)
    x, y = [left + side * at for at in range(n_fitting)], [top + room.row * at for at in range(len(rows))]
    squares = [
        Square(
            share,
            px(x[column]),
            px(y[row]),
            px(x[column] + side / 2),
            f"{100 * share.value:.0f}",
            f"{DARKEST * share.value:.2f}",
        )
        for row, line in enumerate(shares)
        for column, share in enumerate(line[:n_fitting])
        if share is not None
    ]
    rest = len(columns) - n_fitting
    return HeatPlot(
        squares,
        _placed(rows, [at + room.row / 2 for at in y], room.letters),
        _placed(columns[:n_fitting], [at + side / 2 for at in x], COLUMN_LETTERS),
        px(left - GAP),
        px(top - GAP),
        px(side),
        room.row,
        room.width,
        math.ceil(top + room.row * len(rows)) + (FOOT if rest else 0),
        rest,
    )


def _placed(heads: Sequence[Head], at: Sequence[float], letters: int) -> list[Placed]:
    return [Placed(head, shortened(head.name, letters), px(each)) for head, each in zip(heads, at, strict=True)]


def _length(heads: Sequence[Head], letters: int) -> float:
    return LETTER * min(letters, max(len(head.name) for head in heads))
