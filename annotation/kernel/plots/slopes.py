"""Orders of the same things side by side: a column an order, the first on top; a line a thing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from annotation.kernel.plots.axis import apart, px
from annotation.kernel.plots.intervals import DENSE_ROW, MOST_NAMED, NAME

WIDTH, LEFT, RIGHT, HEAD, ROW = 760, 230, 50, 30, 18
NARROW_WIDTH, NARROW_LEFT, NARROW_RIGHT = 340, 132, 12  # on a phone: columns have numbers, and their names stand below
LETTER, BOLD_LETTER = 6.8, 8.2  # room that a letter of a column's name takes, and one of a line's, which may be bold


@dataclass(frozen=True)
class Slope:
    """`ranks`: one a column; `text` is said when it is pointed at, `href` is where it leads."""

    name: str
    ranks: Sequence[int]
    text: str
    is_marked: bool = False
    href: str = ""


@dataclass(frozen=True)
class Line:
    slope: Slope
    points: str  # as SVG's polyline takes them
    ends: list[tuple[str, str]]
    name: str
    y: str  # of the name


@dataclass(frozen=True)
class Column:
    name: str
    x: str
    name_x: str  # of the name's middle: that of the last column keeps to the drawing


@dataclass(frozen=True)
class Key:
    """The name of a column that has a number, below the lines."""

    name: str
    y: str


@dataclass(frozen=True)
class SlopePlot:
    """Names are shortened to their room."""

    columns: list[Column]
    lines: list[Line]
    width: int
    height: int
    foot: int  # of the lines
    name_x: int
    is_dense: bool = False
    keys: Sequence[Key] = ()
    narrow: "SlopePlot | None" = None  # the same, where the page is narrow

    @property
    def n_links(self) -> int:
        return sum(bool(line.slope.href) for line in self.lines)


def slope_plot(columns: Sequence[str], slopes: Sequence[Slope]) -> SlopePlot:
    """Things of one rank stand in the order given. Two columns or more; marked lines are drawn last, above others. Of
    very many things the marked ones alone are named, and lines lie close."""
    narrow = _drawn([str(at) for at in range(1, len(columns) + 1)], slopes, NARROW_WIDTH, NARROW_LEFT, NARROW_RIGHT)
    named = [f"{at} {name}" for at, name in enumerate(columns, 1)]
    keys = [Key(_short(name, NARROW_WIDTH), px(narrow.foot + ROW * at)) for at, name in enumerate(named, 1)]
    narrow = replace(narrow, name_x=0, keys=keys, height=narrow.foot + ROW * len(keys) + ROW // 2)
    return replace(_drawn(columns, slopes, WIDTH, LEFT, RIGHT), narrow=narrow)


def _drawn(columns: Sequence[str], slopes: Sequence[Slope], width: int, left: int, right: int) -> SlopePlot:
    is_dense = len(slopes) > MOST_NAMED
    row_height, step = DENSE_ROW if is_dense else ROW, (width - left - right) / (len(columns) - 1)
    across = [left + step * at for at in range(len(columns))]
    rows = [_rows([slope.ranks[at] for slope in slopes]) for at in range(len(columns))]
    lines = [_line(slope, across, [row[at] for row in rows], row_height) for at, slope in enumerate(slopes)]
    foot = HEAD + row_height * len(slopes)
    if is_dense:
        marked = sorted((at for at, slope in enumerate(slopes) if slope.is_marked), key=lambda at: rows[0][at])
        heights = apart([float(lines[at].y) for at in marked], room=NAME, foot=foot)
        y = dict(zip(marked, map(px, heights), strict=True))
        lines = [replace(line, name=line.name if at in y else "", y=y.get(at, line.y)) for at, line in enumerate(lines)]
    names = [*(_short(name, step) for name in columns[:-1]), _short(columns[-1], step / 2 + right)]
    middles = [min(x, width - len(name) * LETTER / 2) for name, x in zip(names, across, strict=True)]
    return SlopePlot(
        [Column(*each) for each in zip(names, map(px, across), map(px, middles), strict=True)],
        sorted(lines, key=lambda line: line.slope.is_marked),
        width,
        foot,
        foot,
        left - 10,
        is_dense,
    )


def _rows(ranks: Sequence[int]) -> list[int]:
    """The row of each: no two share one."""
    row = [0] * len(ranks)
    for at, thing in enumerate(sorted(range(len(ranks)), key=lambda each: ranks[each])):
        row[thing] = at
    return row


def _short(name: str, width: float, letter: float = LETTER) -> str:
    room = int(width / letter) - 1
    return name if len(name) <= room else f"{name[: room - 1]}…"


def _line(slope: Slope, across: Sequence[float], rows: Sequence[int], height: int) -> Line:
    ends = [(px(x), px(HEAD + height * (row + 0.5))) for x, row in zip(across, rows, strict=True)]
    return Line(
        slope, " ".join(",".join(end) for end in ends), ends, _short(slope.name, across[0], BOLD_LETTER), ends[0][1]
    )
