"""Curves of one figure over another, both on a scale, with points that stand out: an ROC curve, shares in bins."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from annotation.kernel.plots.axis import Tick, axis_over, px

WIDTH, HEIGHT, LEFT, RIGHT, FOOT = 760, 340, 56, 190, 40
LINE = 20  # room of a line of the key
NARROW_WIDTH, NARROW_LEFT, NARROW_FOOT, NAMES = 340, 44, 220, 72  # on a phone; NAMES: room of the names of both axes


@dataclass(frozen=True)
class Path:
    """`kind` is a class of drawn.css: `first`, `second`, or `chance`, which is what others are set beside."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    text: str  # said when it is pointed at
    kind: str = "first"


@dataclass(frozen=True)
class Spot:
    name: str
    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Drawn:
    path: Path
    points: str  # as SVG's polyline takes them
    key_y: str


@dataclass(frozen=True)
class PlacedSpot:
    spot: Spot
    x: str
    y: str
    key_y: str


@dataclass(frozen=True)
class PathPlot:
    """`key_from` to `key_to`: where the key draws its piece of each curve."""

    paths: list[Drawn]
    spots: list[PlacedSpot]
    across: list[Tick]
    upwards: list[Tick]
    width: int
    height: int
    left: int
    right: int
    foot: int
    key_from: int
    key_to: int
    narrow: "PathPlot | None" = None  # the same, where the page is narrow


def path_plot(paths: Sequence[Path], spots: Sequence[Spot] = (), *, room: int = RIGHT) -> PathPlot:
    """Axes hold all that is drawn; the key stands at the right, `room` wide, in the order of the paths, and on a phone
    below."""
    right, below = WIDTH - room, NARROW_FOOT + NAMES + LINE * (len(paths) + len(spots))
    wide = _drawn(paths, spots, (WIDTH, HEIGHT), (LEFT, right, HEIGHT - FOOT), (right + 16, 16))
    edges = (NARROW_LEFT, NARROW_WIDTH - 12, NARROW_FOOT)
    narrow = _drawn(paths, spots, (NARROW_WIDTH, below), edges, (2, NARROW_FOOT + NAMES))
    return replace(wide, narrow=narrow)


def _drawn(
    paths: Sequence[Path],
    spots: Sequence[Spot],
    size: tuple[int, int],
    edges: tuple[int, int, int],
    key: tuple[int, int],
) -> PathPlot:
    """`size`: width and height; `edges` of what is drawn: left, right, foot; `key`: where it begins."""
    (left, right, foot), (key_from, key_top) = edges, key
    across = axis_over([*(x for path in paths for x in path.x), *(spot.x for spot in spots)], start=left, end=right)
    upwards = axis_over([*(y for path in paths for y in path.y), *(spot.y for spot in spots)], start=foot, end=8)
    drawn = []
    for number, path in enumerate(paths):
        pairs = zip(path.x, path.y, strict=True)
        points = " ".join(f"{px(across.at(x))},{px(upwards.at(y))}" for x, y in pairs)
        drawn.append(Drawn(path, points, px(key_top + LINE * number)))
    placed = [
        PlacedSpot(spot, px(across.at(spot.x)), px(upwards.at(spot.y)), px(key_top + LINE * number))
        for number, spot in enumerate(spots, len(paths))
    ]
    return PathPlot(drawn, placed, across.ticks, upwards.ticks, *size, left, right, foot, key_from, key_from + 24)


def steps(edges: Sequence[float], shares: Sequence[float]) -> tuple[list[float], list[float]]:
    """Bins as the outline of their bars: `edges` are one more than `shares`."""
    x = [edge for pair in pairwise(edges) for edge in pair]
    y = [share for share in shares for _ in range(2)]
    return [edges[0], *x, edges[-1]], [0.0, *y, 0.0]
