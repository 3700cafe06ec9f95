"""What the page of a replay shows: sentences, and of each pool plots and a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from annotation.kernel.plots.paths import Path, PathPlot, path_plot
from annotation.text.counted import percent
from evaluation.engine.adaptive.methods import METHODS
from evaluation.formats.pooling_replay import LEFT_OUT, PLOTS, WHOLE

Row: TypeAlias = Mapping[str, Any]  # of `rows` of a replay, by COLUMNS of evaluation.formats.pooling_replay
KINDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")  # of curves, as drawn.css has them
BUDGETS_SAID = (0.1, 0.3, 0.7)
KEY_ROOM = 232  # of a plot's key: the longest title of a method


@dataclass(frozen=True)
class ReplayPlot:
    """A figure against judgments spent, a curve a method."""

    title: str
    plot: PathPlot


@dataclass(frozen=True)
class ReplayTable:
    """τ-b: a row a method, a column a budget."""

    budgets: Sequence[str]
    judged: Sequence[int]
    rows: Sequence[tuple[str, Sequence[tuple[str, str]]]]  # of each cell τ-b, and its deviation or nothing


@dataclass(frozen=True)
class ReplayPart:
    """Of one pool; `first` is the plot of what the table has."""

    pool: str
    first: ReplayPlot
    table: ReplayTable
    plots: Sequence[ReplayPlot]


def replay_parts(replayed: Mapping[str, Any]) -> list[ReplayPart]:
    """Of all runs, then with one left out where that was asked for; the plots are those of the command."""
    parts = []
    for pool in (WHOLE, LEFT_OUT):
        if rows := _of_pool(replayed, pool):
            first, *others = _plots(rows)
            parts.append(ReplayPart(pool, first, _table(rows), others))
    return parts


def replay_command(replayed: Mapping[str, Any]) -> str:
    """What gives the same figures out of files."""
    methods = list(_by_method(replayed["rows"]))
    words = ["manage.py pooling_replay QRELS RUN…", f"-m '{replayed['measure']}'", f"--depth {replayed['depth']}"]
    words += [f"--rel {replayed['rel']}", f"--seeds {replayed['n_seeds']}", f"--unlisted {replayed['unlisted']}"]
    words += [f"--methods {' '.join(methods)}"] * (methods != list(METHODS))
    words += ["--leave-out-run"] * bool(_of_pool(replayed, LEFT_OUT))
    return " ".join(words)


def replay_words(replayed: Mapping[str, Any]) -> list[str]:
    """For a few budgets, which way stands nearest to the order under all qrels, and which farthest."""
    rows, sentences = _of_pool(replayed, WHOLE), []
    for budget in BUDGETS_SAID:
        if here := [row for row in rows if row["budget"] == budget]:
            best, worst = max(map(_tau_b, here)), min(map(_tau_b, here))
            farthest = f"; farthest from it by {_named(here, worst)}" if worst < best else ""
            sentences.append(
                f"With {100 * budget:g} % of the pool judged ({here[0]['judged']:,} pairs), the order of the runs is "
                f"nearest to that under all qrels by {_named(here, best)}{farthest}."
            )
    return sentences


def _named(rows: Sequence[Row], tau_b: float) -> str:
    """Every way that comes to so much; the deviation of one alone."""
    some = [row for row in rows if _tau_b(row) == tau_b]
    *titles, last = (METHODS[row["method"]].title for row in some)
    if not titles:
        return f"{last}, τ-b {' '.join(_tau(some[0])).strip()}"
    return f"{', '.join(titles)} and {last}, τ-b {tau_b:.3f} each"


def _tau_b(row: Row) -> float:
    """As it is shown."""
    return round(float(row["tau_b"]), 3)


def _of_pool(replayed: Mapping[str, Any], pool: str) -> list[Row]:
    return [row for row in replayed["rows"] if row["pool"] == pool]


def _by_method(rows: Sequence[Row]) -> dict[str, list[Row]]:
    methods: dict[str, list[Row]] = {}
    for row in rows:
        methods.setdefault(row["method"], []).append(row)
    return methods


def _table(rows: Sequence[Row]) -> ReplayTable:
    methods = _by_method(rows)
    first = next(iter(methods.values()))
    lines = [(METHODS[name].title, [_tau(row) for row in some]) for name, some in methods.items()]
    return ReplayTable([percent(row["budget"]) for row in first], [row["judged"] for row in first], lines)


def _tau(row: Row) -> tuple[str, str]:
    return f"{row['tau_b']:.3f}", "" if row["tau_b_sd"] is None else f"± {row['tau_b_sd']:.3f}"


def _plots(rows: Sequence[Row]) -> list[ReplayPlot]:
    curves = {name: _paths([row for row in rows if row[name] is not None], name) for name in PLOTS}
    return [ReplayPlot(PLOTS[name], path_plot(paths, room=KEY_ROOM)) for name, paths in curves.items() if paths]


def _paths(rows: Sequence[Row], name: str) -> list[Path]:
    paths = []
    for method, some in _by_method(rows).items():
        title = METHODS[method].title
        values = ", ".join(f"{row[name]:.3f} at {percent(row['budget'])}" for row in some)
        x, y = [100 * row["budget"] for row in some], [row[name] for row in some]
        paths.append(Path(title, x, y, f"{title}: {values}", KINDS[list(METHODS).index(method) % len(KINDS)]))
    return paths
