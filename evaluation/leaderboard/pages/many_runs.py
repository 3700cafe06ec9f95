"""What the comparison of many runs shows: means with their intervals, and a square for each pair of runs."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotation.kernel.plots.axis import place
from annotation.kernel.plots.intervals import Estimate, IntervalPlot, interval_plot, shortened
from evaluation.engine.many_runs import ManyRuns, RunAmongMany

SIDE, LETTERS, MOST = 16, 30, 60  # of a square; of a name beside it; runs whose squares can be told apart


@dataclass(frozen=True)
class Square:
    """A pair of runs; `kind` is apart or alike."""

    x: str
    y: str
    kind: str
    text: str


@dataclass(frozen=True)
class RunLine:
    """The squares of a run with all better ones, and behind them its number and name."""

    y: str
    x: str
    name: str
    squares: list[Square]


@dataclass(frozen=True)
class Triangle:
    lines: list[RunLine]
    width: int
    height: int


def means_plot(many: ManyRuns) -> IntervalPlot:
    return interval_plot(
        [
            Estimate(run.tag, run.interval.mean, run.interval.low, run.interval.high, _words(run, many))
            for run in many.runs
        ]
    )


def triangle_of(many: ManyRuns) -> Triangle | None:
    """None for so many runs that nobody could point at a square."""
    n = len(many.runs)
    if n > MOST:
        return None
    letters = min(LETTERS, max(len(run.tag) for run in many.runs))
    return Triangle(list(_lines(many)), SIDE * n + 8 * letters + 40, SIDE * n + 4)


def _lines(many: ManyRuns) -> Iterator[RunLine]:
    for row, run in enumerate(many.runs):
        squares = [_square(many, row, column) for column in range(row)]
        name = f"{row + 1} {shortened(run.tag, LETTERS)}"
        yield RunLine(place(SIDE * row + SIDE / 2), place(SIDE * row + 6), name, squares)


def _square(many: ManyRuns, row: int, column: int) -> Square:
    p, difference = many.adjusted[row, column], many.difference[column, row]
    better, worse = many.runs[column].tag, many.runs[row].tag
    return Square(
        place(SIDE * column + 1.5),
        place(SIDE * row + 1.5),
        "apart" if p <= many.design.alpha else "alike",
        f"{better} minus {worse}: {difference:+.4f}, p {p:.4f}",
    )


def _words(run: RunAmongMany, many: ManyRuns) -> str:
    low, high = run.interval.low, run.interval.high
    return (
        f"{run.tag}: {many.measure} {run.interval.mean:.4f} ({low:.4f} to {high:.4f}), rank {run.best_rank} to "
        f"{run.worst_rank}"
    )
