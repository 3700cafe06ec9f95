"""Plots of the leaderboard: a measure against another, a measure against its cutoff; and in words what they show."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from django.utils.text import get_text_list

from annotation.kernel.plots.curves import Curve, CurvePlot, curve_plot
from annotation.kernel.plots.scatter import Point, ScatterPlot, scatter_plot
from evaluation.engine.arrays import Floats
from evaluation.engine.measures import parse_measure
from evaluation.engine.significance.correlation import kendall_tau_b
from evaluation.leaderboard.pages.links import pages_of_runs
from evaluation.leaderboard.read.board import Leaderboard

MARKED = 5  # curves that are named: the best at the first cutoff


def means_by(board: Leaderboard, measure: str) -> dict[str, float]:
    """Of the runs evaluated by it, in the order of the leaderboard."""
    at = board.measures.index(measure)
    return {row.evaluation.run.tag: cell.mean for row in board.rows if (cell := row.cells[at])}


def families_of(measures: Sequence[str]) -> dict[str, list[str]]:
    """Measures that differ by their cutoff alone, by what they are without it, the smallest cutoff first; no family of
    one."""
    by_family: dict[str, list[tuple[float, str]]] = {}
    for name in measures:
        cutoff = parse_measure(name).cutoff
        if cutoff is not None and name.rpartition("@")[0]:
            by_family.setdefault(name.rpartition("@")[0], []).append((cutoff, name))
    return {family: [name for _, name in sorted(some)] for family, some in by_family.items() if len(some) > 1}


def scatter_of(board: Leaderboard, x: str, y: str, slug: str) -> ScatterPlot:
    across, upwards = means_by(board, x), means_by(board, y)
    both = [(tag, across[tag], upwards[tag]) for tag in across if tag in upwards]
    page = _pages(board, slug, x)
    return scatter_plot(
        [
            Point(tag, first, second, f"{tag}: {x} {first:.4f}, {y} {second:.4f}", href=page(tag))
            for tag, first, second in both
        ]
    )


def scatter_words(board: Leaderboard, x: str, y: str) -> list[str]:
    """How far both measures put the runs in one order, and which run they disagree about most."""
    across, upwards = means_by(board, x), means_by(board, y)
    both = [tag for tag in across if tag in upwards]
    if len(both) < 3 or x == y:
        return []
    first, second = (np.array([means[tag] for tag in both]) for means in (across, upwards))
    tau = kendall_tau_b(first, second)
    if np.isnan(tau.value):
        return [f"No τ-b: {tau.note}."]
    ranks = {tag: (_rank(first, at), _rank(second, at)) for at, tag in enumerate(both)}
    tag, (by_x, by_y) = max(ranks.items(), key=lambda one: abs(one[1][0] - one[1][1]))
    sentences = [f"Of {len(both)} runs the orders by {x} and by {y} agree with τ-b {tau.value:.3f}."]
    if by_x != by_y:
        sentences.append(f"They differ most over {tag}: rank {by_x} by {x}, rank {by_y} by {y}.")
    return sentences


def curves_of(board: Leaderboard, names: Sequence[str], slug: str) -> CurvePlot:
    """A curve a run over the cutoffs of a family."""
    columns = [means_by(board, name) for name in names]
    best = sorted(columns[0], key=lambda tag: -columns[0][tag])[:MARKED]
    tags = list(dict.fromkeys(tag for column in columns for tag in column))
    curves, page = [], _pages(board, slug, names[0])
    for tag in tags:
        values = [column.get(tag) for column in columns]
        text = ", ".join(f"{name} {value:.4f}" for name, value in zip(names, values, strict=True) if value is not None)
        curves.append(Curve(tag, values, f"{tag}: {text}", is_marked=tag in best, href=page(tag)))
    return curve_plot(curves, [name.rpartition("@")[2] for name in names])


def curve_words(board: Leaderboard, names: Sequence[str]) -> list[str]:
    """Which run has the highest mean at each cutoff; of equal means, all runs that have it."""
    firsts = {name: _first(means) for name in names if (means := means_by(board, name))}
    if len(set(firsts.values())) == 1:
        tags = next(iter(firsts.values()))
        verb = "has" if len(tags) == 1 else "have"
        return [f"{get_text_list([*tags], 'and')} {verb} the highest mean at every cutoff."]
    by_cutoff = "; ".join(f"{get_text_list([*tags], 'and')} by {name}" for name, tags in firsts.items())
    return [f"Highest mean: {by_cutoff}."]


def _first(means: Mapping[str, float]) -> tuple[str, ...]:
    most = max(means.values())
    return tuple(tag for tag, mean in means.items() if mean == most)


def _pages(board: Leaderboard, slug: str, measure: str) -> Callable[[str], str]:
    return pages_of_runs(slug, (row.evaluation for row in board.rows), measure)


def _rank(values: Floats, at: int) -> int:
    return 1 + int((values > values[at]).sum())
