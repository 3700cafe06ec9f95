"""What the page of the next pairs shows of each, and that of a replay."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.kernel.plots.axis import place
from annotation.kernel.plots.paths import Path, PathPlot, path_plot
from evaluation.engine.adaptive.methods import METHODS
from evaluation.engine.judge_next import JudgeNext, NextPair
from evaluation.formats.pooling_replay import LEFT_OUT, PLOTS, WHOLE

KINDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")  # of curves, as drawn.css has them
SAID = (0.1, 0.3, 0.7)  # budgets of the sentences
WIDTH = 120.0  # of the bar of the pair that changes most


@dataclass(frozen=True)
class NextRow:
    """`bar` is its width, `ranks` as they are read, `at_grades` what the difference of two runs becomes."""

    pair: NextPair
    ranks: Sequence[str]
    bar: str
    at_grades: str


def next_rows(ranked: JudgeNext) -> list[NextRow]:
    most = max((pair.expected for pair in ranked.pairs), default=0.0) or 1.0
    return [
        NextRow(
            pair,
            ["–" if rank is None else str(rank) for rank in pair.ranks],
            place(max(1.0, WIDTH * pair.expected / most)),
            "; ".join(f"at grade {grade}: {change:+.5f}" for grade, change in enumerate(pair.changes)),
        )
        for pair in ranked.pairs
    ]


@dataclass(frozen=True)
class ReplayPlot:
    """A figure against judgments spent, a curve a method; `pool` says whether a run is left out."""

    title: str
    pool: str
    plot: PathPlot


@dataclass(frozen=True)
class ReplayTable:
    """τ-b: a row a method, a column a budget."""

    pool: str
    budgets: Sequence[str]
    judged: Sequence[int]
    rows: Sequence[tuple[str, Sequence[tuple[str, str]]]]  # of each cell τ-b, and its deviation or nothing


def replay_plots(replayed: Mapping[str, Any]) -> list[ReplayPlot]:
    """Those of the command: of all runs, then with one left out where that was asked for."""
    plots = []
    for pool in (WHOLE, LEFT_OUT):
        rows = _of_pool(replayed, pool)
        for name, title in PLOTS.items():
            if paths := _paths([row for row in rows if row[name] is not None], name):
                plots.append(ReplayPlot(title, pool, path_plot(paths)))
    return plots


def replay_table(replayed: Mapping[str, Any]) -> list[ReplayTable]:
    return [_table(pool, rows) for pool in (WHOLE, LEFT_OUT) if (rows := _of_pool(replayed, pool))]


def _of_pool(replayed: Mapping[str, Any], pool: str) -> list[Mapping[str, Any]]:
    return [row for row in replayed["rows"] if row["pool"] == pool]


def _by_method(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    methods: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        methods.setdefault(row["method"], []).append(row)
    return methods


def _table(pool: str, rows: Sequence[Mapping[str, Any]]) -> ReplayTable:
    methods = _by_method(rows)
    first = next(iter(methods.values()))
    lines = [(METHODS[name].title, [_tau(row) for row in some]) for name, some in methods.items()]
    return ReplayTable(pool, [f"{row['budget']:.0%}" for row in first], [row["judged"] for row in first], lines)


def _tau(row: Mapping[str, Any]) -> tuple[str, str]:
    return f"{row['tau_b']:.3f}", "" if row["tau_b_sd"] is None else f"± {row['tau_b_sd']:.3f}"


def _paths(rows: Sequence[Mapping[str, Any]], name: str) -> list[Path]:
    paths = []
    for method, some in _by_method(rows).items():
        title = METHODS[method].title
        said = ", ".join(f"{row[name]:.3f} at {row['budget']:.0%}" for row in some)
        x, y = [100 * row["budget"] for row in some], [row[name] for row in some]
        paths.append(Path(title, x, y, f"{title}: {said}", KINDS[list(METHODS).index(method) % len(KINDS)]))
    return paths


def replay_command(replayed: Mapping[str, Any]) -> str:
    """What gives the same figures out of files."""
    methods = list(_by_method(replayed["rows"]))
    words = ["manage.py pooling_replay QRELS RUN…", f"-m '{replayed['measure']}'", f"--depth {replayed['depth']}"]
    words += [f"--rel {replayed['rel']}", f"--seeds {replayed['n_seeds']}", f"--unlisted {replayed['unlisted']}"]
    words += [f"--methods {' '.join(methods)}"] * (methods != list(METHODS))
    words += ["--leave-out-run"] * bool(_of_pool(replayed, LEFT_OUT))
    return " ".join(words)


def replay_words(replayed: Mapping[str, Any]) -> list[str]:
    """For a few budgets, which way stands nearest to the order under all qrels."""
    rows, sentences = _of_pool(replayed, WHOLE), []
    for budget in sorted({row["budget"] for row in rows}):
        if budget in SAID:
            best = max((row for row in rows if row["budget"] == budget), key=lambda row: row["tau_b"])
            sentences.append(
                f"With {budget:.0%} of the pool judged, {best['judged']:,} pairs, {METHODS[best['method']].title} "
                f"comes nearest to the order under all qrels: τ-b {best['tau_b']:.3f}."
            )
    return sentences
