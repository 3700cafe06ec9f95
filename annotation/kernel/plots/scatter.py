"""Two figures a thing, as points: one figure to the right, one upwards. Names stand where they have room."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from annotation.kernel.plots.axis import Tick, axis_over, px

WIDTH, HEIGHT, LEFT, FOOT, RIGHT = 760, 460, 56, 40, 90
NARROW_WIDTH, NARROW_HEIGHT, NARROW_LEFT, NARROW_RIGHT = 340, 340, 40, 14
LETTER, LINE = 6.8, 13  # room that a letter and a line of a name take
MOST_SOLID = 60  # points; more show through


@dataclass(frozen=True)
class Point:
    """`text` is said when it is pointed at; `href` is where it leads."""

    name: str
    x: float
    y: float
    text: str
    is_marked: bool = False
    href: str = ""


class Dot(NamedTuple):
    """A tuple, as the marks of `intervals` are."""

    point: Point
    x: str
    y: str
    name: str  # empty where it had no room


@dataclass(frozen=True)
class ScatterPlot:
    dots: list[Dot]
    across: list[Tick]
    upwards: list[Tick]
    width: int
    height: int
    left: int
    foot: int
    narrow: "ScatterPlot | None" = None  # the same, where the page is narrow

    @property
    def is_dense(self) -> bool:
        return len(self.dots) > MOST_SOLID

    @property
    def n_links(self) -> int:
        return sum(bool(dot.point.href) for dot in self.dots)


def scatter_plot(points: Sequence[Point]) -> ScatterPlot:
    """Marked points are named first, then in the order given; a name that would cover another is left out."""
    wide = _drawn(points, WIDTH, HEIGHT, LEFT, RIGHT)
    return replace(wide, narrow=_drawn(points, NARROW_WIDTH, NARROW_HEIGHT, NARROW_LEFT, NARROW_RIGHT))


def _drawn(points: Sequence[Point], width: int, height: int, left: int, right: int) -> ScatterPlot:
    across = axis_over((point.x for point in points), start=left, end=width - right)
    upwards = axis_over((point.y for point in points), start=height - FOOT, end=8)
    spots = [(across.at(point.x), upwards.at(point.y)) for point in points]
    named = _with_room(points, spots, width)
    dots = [
        Dot(point, px(x), px(y), point.name if at in named else "")
        for at, (point, (x, y)) in enumerate(zip(points, spots, strict=True))
    ]
    return ScatterPlot(dots, across.ticks, upwards.ticks, width, height, left, height - FOOT)


def _with_room(points: Sequence[Point], spots: Sequence[tuple[float, float]], width: int) -> set[int]:
    """Places in `points` of those whose names cover neither a dot nor another name."""
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in spots]
    named = set()
    for at in sorted(range(len(points)), key=lambda at: not points[at].is_marked):
        x, y = spots[at]
        start, top, end, foot = box = (x + 7, y - LINE / 2, x + 7 + LETTER * len(points[at].name), y + LINE / 2)
        if end > width:
            continue
        for left, above, right, below in taken:  # of hundreds of points each is held against all others
            if top < below and above < foot and start < right and left < end:
                break
        else:
            taken.append(box)
            named.add(at)
    return named
