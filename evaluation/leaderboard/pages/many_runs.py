"""What the comparison of many runs shows: means with their intervals, and a square for each pair of runs."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from annotation.kernel.plots.axis import px
from annotation.kernel.plots.intervals import NARROW_WIDTH, Estimate, IntervalPlot, interval_plot, shortened
from annotation.text.counted import with_sign
from evaluation.engine.many_runs import ManyRuns, RunAmongMany

SIDE, LETTERS, MOST = 16, 30, 60  # of a square; of a name beside it; runs whose squares can be told apart
LINKED = 30  # runs whose squares are links
NUMBER, LETTER, LINE = 30, 7.2, 13  # room of a run's number, of a letter and of a line of text


@dataclass(frozen=True)
class Square:
    """A pair of runs; `kind` is apart or alike."""

    x: str
    y: str
    kind: str
    text: str
    href: str


@dataclass(frozen=True)
class RunLine:
    """The squares of a run with all better ones, and behind them its number and name, where there is room."""

    y: str
    x: str
    name: str
    squares: list[Square]


@dataclass(frozen=True)
class Triangle:
    lines: list[RunLine]
    width: int
    height: int
    size: int  # of a square as it is drawn
    narrow: "Triangle | None" = None  # the same, where the page is narrow

    @property
    def n_links(self) -> int:
        return sum(bool(square.href) for line in self.lines for square in line.squares)


def means_plot(many: ManyRuns, page: Callable[[str], str]) -> IntervalPlot:
    """`page`: of a run, by its tag."""
    return interval_plot(
        [
            Estimate(
                run.tag,
                run.interval.mean,
                run.interval.low,
                run.interval.high,
                _words(run, many),
                href=page(run.tag),
            )
            for run in many.runs
        ]
    )


def triangle_of(many: ManyRuns, page: Callable[[str, str], str]) -> Triangle | None:
    """None for so many runs that nobody could point at a square. `page`: of a pair of tags, the better run first; of
    more runs than `LINKED` pairs lead nowhere, for their links would outweigh the page."""
    n = len(many.runs)
    if n > MOST:
        return None
    letters = min(LETTERS, max(len(run.tag) for run in many.runs))
    led = page if n <= LINKED else _nowhere
    wide = _triangle(many, SIDE * n + 8 * letters + 40, SIDE, led)
    return replace(wide, narrow=_triangle(many, NARROW_WIDTH, min(SIDE, (NARROW_WIDTH - NUMBER) // n), led))


def _nowhere(better: str, worse: str) -> str:
    return ""


def _triangle(many: ManyRuns, width: int, side: int, page: Callable[[str, str], str]) -> Triangle:
    return Triangle(list(_lines(many, width, side, page)), width, side * len(many.runs) + 4, side - 3)


def _lines(many: ManyRuns, width: int, side: int, page: Callable[[str, str], str]) -> Iterator[RunLine]:
    """Rows lower than a line of text have names as often as there is room."""
    every = math.ceil(LINE / side)
    for row, run in enumerate(many.runs):
        squares = [_square(many, row, column, side, page) for column in range(row)]
        letters = min(LETTERS, int((width - side * row - NUMBER) // LETTER))
        name = f"{row + 1} {shortened(run.tag, letters)}" if letters > 3 else f"{row + 1}"
        yield RunLine(px(side * row + side / 2), px(side * row + 6), "" if row % every else name, squares)


def _square(many: ManyRuns, row: int, column: int, side: int, page: Callable[[str, str], str]) -> Square:
    p, difference = many.adjusted[row, column], many.difference[column, row]
    better, worse = many.runs[column].tag, many.runs[row].tag
    return Square(
        px(side * column + 1.5),
        px(side * row + 1.5),
        "apart" if p <= many.design.alpha else "alike",
        f"{better} minus {worse}: {with_sign(difference, '.4f')}, p {p:.4f}",
        page(better, worse),
    )


def _words(run: RunAmongMany, many: ManyRuns) -> str:
    low, high = run.interval.low, run.interval.high
    return (
        f"{run.tag}: {many.measure} {run.interval.mean:.4f} ({low:.4f} to {high:.4f}), rank {run.best_rank} to "
        f"{run.worst_rank}"
    )
