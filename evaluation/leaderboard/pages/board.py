"""The leaderboard's table: each column declared once for page, CSV, LaTeX and JSON; and its plots."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from django.template.defaultfilters import floatformat

from annotation.kernel.page_tables import UNKNOWN, cells_of, sorted_rows
from annotation.kernel.plots.intervals import Estimate, IntervalPlot, interval_plot
from annotation.kernel.tables import Cell, Column, Kind, Shown
from evaluation.engine.comparison import Comparison, Pair
from evaluation.engine.many_runs import ManyRuns, RunAmongMany
from evaluation.formats.comparison import shown_difference, shown_p
from evaluation.formats.values import latex
from evaluation.leaderboard.pages.links import by_measure, page_of_run
from evaluation.leaderboard.read import board as read
from evaluation.models import Evaluation

N_AT_FIRST, N_BESIDE_BASELINE = 5, 3  # columns of measures that fit, 1280 px wide, unless some are chosen
Written: TypeAlias = tuple[str, str, bool]  # text, note, whether it is strong: a template reads it sooner than a Cell


@dataclass(frozen=True)
class BoardRow:
    """A run's means by measure; how it differs from the baseline, unless it is the baseline; `among`: its ranks."""

    evaluation: Evaluation
    cells: Mapping[str, read.Cell | None]
    pair: Pair | None = None
    among: RunAmongMany | None = None

    @property
    def tag(self) -> str:
        return self.evaluation.run.tag


@dataclass(frozen=True)
class Board:
    """What is shown: rows in their order; `comparison` with the baseline, and `many` for the ranks, by the primary
    measure alone."""

    columns: Sequence[Column[BoardRow]]
    rows: Sequence[BoardRow]
    primary: str
    sort: str
    comparison: Comparison | None
    many: ManyRuns | None
    slug: str  # of the collection

    @cached_property
    def pages(self) -> dict[str, str]:
        """Of each run, by its tag."""
        return {row.tag: page_of_run(self.slug, row.evaluation) for row in self.rows}

    @property
    def lines(self) -> list[tuple[str, str, list[Written]]]:
        """The tag of each run, its page, its cells."""
        heads = self.heads
        return [
            (row.tag, self.pages[row.tag], [(cell.text, cell.note, cell.strong) for _, cell in cells_of(heads, row)])
            for row in self.rows
        ]

    @property
    def heads(self) -> list[Column[BoardRow]]:
        return [column for column in self.columns if column.shown]


def _sorts(columns: Iterable[Column[BoardRow]], sort: str) -> bool:
    return sort.removeprefix("-") in {"tag", *(column.sort for column in columns if column.sort)}


def board_of(
    board: read.Leaderboard,
    *,
    measures: Sequence[str],
    primary: str,
    tag: str,
    sort: str,
    comparison: Comparison | None,
    many: ManyRuns | None,
) -> Board:
    """Of the evaluated runs those whose tag holds `tag`, in the order of `sort`; best first by `primary` otherwise."""
    pairs = {pair.first: pair for pair in comparison.pairs} if comparison else {}
    among = {run.tag: run for run in many.runs} if many else {}
    rows = [
        BoardRow(
            row.evaluation,
            dict(zip(board.measures, row.cells, strict=True)),
            pairs.get(row.evaluation.run.tag),
            among.get(row.evaluation.run.tag),
        )
        for row in board.rows
        if tag.casefold() in row.evaluation.run.tag.casefold()
    ]
    columns = columns_of(measures, primary, comparison, many)
    rows.sort(key=lambda row: row.tag, reverse=sort == "-tag")
    sort = sort if _sorts(columns, sort) else f"-{primary}"
    if sort.removeprefix("-") != "tag":
        rows = sorted_rows(columns, rows, sort)
    return Board(columns, rows, primary, sort, comparison, many, board.snapshot.collection.slug)


def measures_at_first(measures: Sequence[str], primary: str, by_sort: str, *, has_baseline: bool) -> list[str]:
    """As many as fit: the primary one, that of the order, what share is judged, and the first of the others."""
    n = N_BESIDE_BASELINE if has_baseline else N_AT_FIRST
    if len(measures) <= n:
        return [*measures]
    judged = [name for name in measures if name.startswith("Judged@")][:1]
    chosen = dict.fromkeys([primary, by_sort or primary, *judged, *measures])
    return [name for name in measures if name in [*chosen][:n]]


def columns_of(
    measures: Sequence[str], primary: str, comparison: Comparison | None, many: ManyRuns | None
) -> list[Column[BoardRow]]:
    """In the order of the CSV file: the primary measure, chosen or not, with all that is tested by it, comes first."""
    return [
        Column("run", lambda row: row.tag, Kind.ID),
        *_of_measure(primary),
        *(_of_ranks() if many else ()),
        *(_of_baseline(comparison) if comparison else ()),
        *(column for name in measures if name != primary for column in _of_measure(name)),
        Column("topics", lambda row: row.evaluation.n_topics, Kind.WHOLE, sort="topics", shown=Shown("Topics")),
        Column("missing", lambda row: row.evaluation.n_missing, Kind.WHOLE, sort="missing", shown=Shown("Missing")),
    ]


def _of_measure(name: str) -> list[Column[BoardRow]]:
    def part(which: str) -> Callable[[BoardRow], float | None]:
        return lambda row: getattr(row.cells.get(name), which, None)

    def cell(row: BoardRow) -> Cell:
        return _mean(row.cells.get(name))

    return [
        Column(
            name, part("mean"), Kind.NUMBER, sort=name, order=_lowest_if_none(part("mean")), shown=Shown(name, cell)
        ),
        Column(f"{name} low", part("low"), Kind.NUMBER),
        Column(f"{name} high", part("high"), Kind.NUMBER),
    ]


def _of_ranks() -> list[Column[BoardRow]]:
    def rank(row: BoardRow) -> Cell:
        return Cell(f"{row.among.best_rank} to {row.among.worst_rank}") if row.among else Cell(UNKNOWN)

    def order(row: BoardRow) -> tuple[float, float]:
        return (row.among.best_rank, row.among.worst_rank) if row.among else (math.inf, 0)

    def end(which: str) -> Callable[[BoardRow], int | None]:
        return lambda row: getattr(row.among, which, None)

    shown = Shown("Ranks", rank)
    best = Column[BoardRow]("best rank", end("best_rank"), Kind.WHOLE, sort="rank", order=order, shown=shown)
    return [best, Column("worst rank", end("worst_rank"), Kind.WHOLE)]


def _of_baseline(comparison: Comparison) -> list[Column[BoardRow]]:
    def part(get: Callable[[Pair], float]) -> Callable[[BoardRow], float | None]:
        return lambda row: get(row.pair) if row.pair else None

    difference, p = part(lambda pair: pair.interval.mean), part(lambda pair: pair.adjusted)
    return [
        Column(
            "difference",
            difference,
            Kind.NUMBER,
            sort="difference",
            order=_lowest_if_none(difference),
            shown=Shown(f"{comparison.measure} − {comparison.design.baseline}", _difference),
        ),
        Column("difference low", part(lambda pair: pair.interval.low), Kind.NUMBER),
        Column("difference high", part(lambda pair: pair.interval.high), Kind.NUMBER),
        Column("adjusted p", p, Kind.NUMBER, sort="p", shown=Shown("adjusted p", lambda row: _p(row, comparison))),
    ]


def _lowest_if_none(get: Callable[[BoardRow], float | None]) -> Callable[[BoardRow], tuple[float, float]]:
    """Where there is no figure a run stands below all others."""

    def order(row: BoardRow) -> tuple[float, float]:
        value = get(row)
        return (0, 0) if value is None else (1, value)

    return order


def _mean(cell: read.Cell | None) -> Cell:
    if cell is None:
        return Cell(UNKNOWN, "not evaluated")
    interval = "" if cell.low is None else f"{cell.low:.4f} to {cell.high:.4f}"
    return Cell(written_mean(cell), interval, strong=cell.is_best)


def written_mean(cell: read.Cell) -> str:
    """As `floatformat` has it, which takes ten times as long: it rounds a half up, and has 0 for −0."""
    exact = repr(cell.mean)
    if cell.digits < 0 or exact.startswith("-") or exact.endswith("5"):
        return str(floatformat(cell.mean, cell.digits))
    return f"{cell.mean:.{cell.digits}f}"


def _difference(row: BoardRow) -> Cell:
    if row.pair is None:
        return Cell(UNKNOWN)
    return Cell(*shown_difference(row.pair))


def _p(row: BoardRow, comparison: Comparison) -> Cell:
    if row.pair is None:
        return Cell(UNKNOWN)
    p = row.pair.adjusted
    return Cell(shown_p(p), strong=p <= comparison.design.alpha)


def board_latex(board: Board) -> str:
    """A `tabular` with the rules of booktabs, its cells as on the page; a bold mean is the highest of its column."""
    heads = ["run", *(column.shown.head for column in board.heads if column.shown)]
    lines = [f"% {sentence}" for sentence in (board.comparison.conclusion if board.comparison else ())]
    lines += [
        r"\begin{tabular}{l" + "r" * (len(heads) - 1) + "}",
        r"\toprule",
        _latex_row(map(latex, heads)),
        r"\midrule",
    ]
    lines += [
        _latex_row([latex(tag), *(_latex_cell(text, strong=strong) for text, _, strong in cells)])
        for tag, _, cells in board.lines
    ]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def board_json(board: Board, **asked: str) -> str:
    """What was asked, the conclusion, and an object a run by the columns of the CSV file, with every digit."""
    report = {
        **asked,
        "primary": board.primary,
        "baseline": board.comparison.design.baseline if board.comparison else None,
        "conclusion": list(board.comparison.conclusion) if board.comparison else [],
        "runs": [{column.name: column.get(row) for column in board.columns} for row in board.rows],
    }
    return json.dumps(report, ensure_ascii=False, indent=2) + "\n"


def board_plot(board: Board) -> IntervalPlot:
    """Means of the primary measure with their intervals, in the order of the table; the baseline stands out."""
    baseline = board.comparison.design.baseline if board.comparison else None
    cells = [(row, cell) for row in board.rows if (cell := row.cells.get(board.primary))]
    asked = by_measure(board.primary)
    return interval_plot(
        [
            Estimate(
                row.tag,
                cell.mean,
                cell.low,
                cell.high,
                _cell_words(row.tag, board.primary, cell),
                is_marked=row.tag == baseline,
                href=board.pages[row.tag] + asked,
            )
            for row, cell in cells
        ]
    )


def _cell_words(tag: str, measure: str, cell: read.Cell) -> str:
    interval = "" if cell.low is None else f" ({cell.low:.4f} to {cell.high:.4f})"
    return f"{tag}: {measure} {written_mean(cell)}{interval}"


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _latex_cell(text: str, *, strong: bool) -> str:
    text = text.replace("-", "$-$") if text[:1] in "+-" else latex(text)
    return rf"\textbf{{{text}}}" if strong else text
