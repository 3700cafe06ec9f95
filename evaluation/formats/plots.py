"""Plots of values as files: SVG, PNG or PDF by the name's ending. Colours differ in lightness, lines also in marks.

Colours: the palette of Okabe and Ito, Color Universal Design, 2008, which people with any colour
vision tell apart.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from annotation.text.counted import percent
from evaluation.engine.arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = ("svg", "png", "pdf")
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKS = "osD^vPX*"
NAMED = 14  # runs a legend names; more make it larger than the plot


@dataclass(frozen=True)
class Estimate:
    """A value with its interval; NaN for the ends where it has none."""

    value: float
    low: float = math.nan
    high: float = math.nan


def plot_curves(
    curves: Mapping[str, Sequence[Estimate]],
    cutoffs: Sequence[int],
    *,
    measure: str,
    path: Path,
    confidence: float,
    summary: str = "mean",
) -> None:
    """A measure by its cutoff, one line a run with a band for its interval. `curves`: by tag, one estimate a cutoff."""
    has_bands = len(curves) <= len(COLOURS) and any(math.isfinite(e.low) for line in curves.values() for e in line)
    figure, axes = _figure(height=4.2)
    for i, (tag, estimates) in enumerate(curves.items()):
        _curve(axes, i, cutoffs, estimates, tag, band=has_bands)
    axes.set_xscale("log")
    axes.set_xticks(cutoffs, [str(k) for k in cutoffs])
    axes.minorticks_off()
    axes.set_xlabel("cutoff k (logarithmic)")
    axes.set_ylabel(_plain(f"{measure}@k, {summary} over topics"))
    if has_bands:
        axes.set_title(f"bands: {percent(confidence)} intervals over topics", fontsize=8, loc="left", color="#555555")
    if len(curves) <= NAMED:
        axes.legend(fontsize=8, frameon=False)
    _save(figure, path)


def plot_shares(
    curves: Mapping[str, Sequence[tuple[float, Estimate]]], *, path: Path, xlabel: str, ylabel: str
) -> None:
    """Lines over shares from 0 to 1, one a name, each with a band from low to high. `curves`: (share, estimate)."""
    figure, axes = _figure(height=4.6)
    for i, (name, points) in enumerate(curves.items()):
        colour, mark = COLOURS[i % len(COLOURS)], MARKS[i % len(MARKS)]
        x, estimates = [share for share, _ in points], [estimate for _, estimate in points]
        axes.plot(x, [e.value for e in estimates], color=colour, marker=mark, ms=4, lw=1.5, label=_plain(name))
        axes.fill_between(x, [e.low for e in estimates], [e.high for e in estimates], color=colour, alpha=0.1, lw=0)
    axes.set_xlabel(_plain(xlabel))
    axes.set_ylabel(_plain(ylabel))
    axes.set_title("bands: one standard deviation over draws", fontsize=8, loc="left", color="#555555")
    axes.grid(axis="y", color="#dddddd", lw=0.6)
    axes.legend(fontsize=8, frameon=False)
    _save(figure, path)


def plot_panels(
    panels: Mapping[str, Mapping[str, Sequence[Estimate]]],
    cutoffs: Sequence[int],
    *,
    best: Sequence[str],
    path: Path,
    title: str = "",
) -> None:
    """Several measures by their cutoff, a panel a measure, a line a name with a band where it has an interval.

    `panels`: by the measure's name without its cutoff, then by name, one estimate a cutoff. The `best` names stand out,
    as many as there are colours; the others lie behind them in grey.
    """
    best = best[: len(COLOURS)]
    figure, panes = _panels(len(panels))
    for axes, (measure, curves) in zip(panes, panels.items(), strict=False):
        _panel(axes, curves, cutoffs, best)
        axes.set_title(_plain(f"{measure}@k"), fontsize=9, loc="left")
    lines = dict(zip(*reversed(panes[0].get_legend_handles_labels()), strict=True))
    named = [name for name in map(_plain, best) if name in lines]
    handles = [lines[name] for name in named]
    figure.legend(handles, named, loc="outside lower center", ncols=3, fontsize=7, frameon=False)
    if title:
        figure.suptitle(_plain(title), fontsize=8, x=0.01, ha="left", color="#555555")
    _save(figure, path)


def plot_power(
    curves: Mapping[str, Sequence[Estimate]], sizes: Sequence[int], *, title: str, path: Path, target: float
) -> None:
    """Power by size, one line a test with a band, the power that is aimed at drawn across. `curves`: by name, one
    estimate a size."""
    figure, axes = _figure(height=4.2)
    for i, (name, estimates) in enumerate(curves.items()):
        _curve(axes, i, sizes, estimates, name, band=True)
    axes.axhline(target, color="#333333", lw=0.8, ls=":")
    axes.set_xscale("log")
    axes.set_xticks(sizes, [f"{n:,}" for n in sizes], rotation=45)
    axes.minorticks_off()
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("impressions in all (logarithmic)")
    axes.set_ylabel("power")
    axes.set_title(_plain(title), fontsize=8, loc="left", color="#555555")
    axes.legend(fontsize=8, frameon=False, loc="lower right")
    _save(figure, path)


def plot_points(
    points: Sequence[tuple[int, float, bool]],
    means: Sequence[tuple[int, Estimate]],
    *,
    title: str,
    path: Path,
) -> None:
    """Values by grade, a point each (grade, value, whether it stands out), beside the grade's own with an interval."""
    figure, axes = _figure(height=4.2)
    counts: dict[int, int] = {}
    for odd in (False, True):
        x, values = list[float](), list[float]()
        for grade, value, stands_out in points:
            if stands_out is odd:
                counts[grade] = counts.get(grade, 0) + 1
                x.append(grade + 0.3 * (counts[grade] * 0.618034 % 1) - 0.35)
                values.append(value)
        colour, name = (COLOURS[1], "contradicts the grade") if odd else ("#999999", "pair")
        axes.plot(x, values, "D" if odd else "o", color=colour, ms=4 if odd else 2.5, label=name)
    for grade, mean in means:
        axes.plot([grade + 0.2] * 2, [mean.low, mean.high], color=COLOURS[0], lw=1.5)
    axes.plot([g + 0.2 for g, _ in means], [m.value for _, m in means], "s-", color=COLOURS[0], ms=6, label="grade")
    axes.set_xticks([grade for grade, _ in means], [str(grade) for grade, _ in means])
    axes.set_xlabel("grade")
    axes.set_title(_plain(title), fontsize=9, loc="left")
    axes.set_ylim(bottom=0)
    axes.legend(fontsize=8, frameon=False)
    _save(figure, path)


def plot_means(
    means: Mapping[str, Estimate], *, measure: str, path: Path, confidence: float, summary: str = "mean"
) -> None:
    """Means, or what else sums topics up, with their intervals; a row a run, the highest on top."""
    interval = f", {percent(confidence)} interval" if any(math.isfinite(one.low) for one in means.values()) else ""
    _rows(means, path=path, title=f"{measure}: {summary} over topics{interval}")


def plot_differences(differences: Mapping[str, Estimate], *, measure: str, path: Path, confidence: float) -> None:
    """Mean differences with their intervals, a row a pair; the line of no difference is drawn."""
    _rows(differences, path=path, title=f"difference in {measure}, {percent(confidence)} interval", zero=True)


def plot_topics(difference: Floats, numbers: Sequence[str], *, title: str, path: Path) -> None:
    """The difference of each topic, sorted: who gains where, and by how much. `difference` (n_topics,)."""
    order = np.argsort(-difference, kind="stable")
    figure, axes = _figure(height=3.4)
    colour = [COLOURS[0] if d >= 0 else COLOURS[1] for d in difference[order].tolist()]
    axes.bar(np.arange(order.size), difference[order], color=colour, width=0.85)
    axes.axhline(0, color="#333333", lw=0.8)
    if order.size <= 60:
        axes.set_xticks(np.arange(order.size), [numbers[i] for i in order.tolist()], rotation=90, fontsize=6)
    axes.set_xlabel("topics, from the greatest gain to the greatest loss")
    axes.set_title(_plain(title), fontsize=9, loc="left")
    _save(figure, path)


def _curve(
    axes: "Axes", number: int, cutoffs: Sequence[int], estimates: Sequence[Estimate], name: str, *, band: bool
) -> None:
    """A line in the colour and with the mark of its place."""
    colour, mark = COLOURS[number % len(COLOURS)], MARKS[number // len(COLOURS) % len(MARKS)]
    axes.plot(cutoffs, [e.value for e in estimates], color=colour, marker=mark, ms=4, lw=1.5, label=_plain(name))
    if band:
        low, high = [e.low for e in estimates], [e.high for e in estimates]
        axes.fill_between(cutoffs, low, high, color=colour, alpha=0.12, lw=0)


def _panel(axes: "Axes", curves: Mapping[str, Sequence[Estimate]], cutoffs: Sequence[int], best: Sequence[str]) -> None:
    for name in sorted(curves, key=lambda name: (name in best, name)):
        values = [one.value for one in curves[name]]
        if name not in best:
            axes.plot(cutoffs, values, color="#bbbbbb", lw=0.8)
            continue
        colour, mark = COLOURS[best.index(name)], MARKS[best.index(name)]
        axes.plot(cutoffs, values, color=colour, marker=mark, lw=1.5, ms=3.5, label=_plain(name))
        low, high = [one.low for one in curves[name]], [one.high for one in curves[name]]
        if not all(map(math.isnan, low)):
            axes.fill_between(cutoffs, low, high, color=colour, alpha=0.12, lw=0)
    axes.set_xscale("log")
    axes.set_xticks(cutoffs, [str(k) for k in cutoffs], fontsize=7)
    axes.minorticks_off()
    axes.tick_params(axis="y", labelsize=7)


def _rows(estimates: Mapping[str, Estimate], *, path: Path, title: str, zero: bool = False) -> None:
    ordered = sorted(estimates.items(), key=lambda pair: pair[1].value)
    figure, axes = _figure(height=1.0 + 0.24 * len(ordered))
    for y, (_, e) in enumerate(ordered):
        axes.plot([e.low, e.high], [y, y], color=COLOURS[0], lw=1.5, solid_capstyle="butt")
        axes.plot([e.value], [y], "o", color=COLOURS[0], ms=5)
    if zero:
        axes.axvline(0, color="#333333", lw=0.8)
    axes.set_yticks(range(len(ordered)), [_plain(name) for name, _ in ordered], fontsize=8)
    axes.set_ylim(-0.7, len(ordered) - 0.3)
    axes.set_title(_plain(title), fontsize=9, loc="left")
    axes.grid(axis="x", color="#dddddd", lw=0.6)
    _save(figure, path)


def _plain(text: str) -> str:
    """A dollar sign is a dollar sign, not the beginning of a formula."""
    return text.replace("$", r"\$")


def _figure(*, height: float) -> "tuple[Figure, Axes]":
    """A sheet with axes alone on it."""
    figure = _sheet(width=7.2, height=height)
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _sheet(*, width: float, height: float) -> "Figure":
    """A figure of its own, drawn without a display and without the state that `pyplot` keeps."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _panels(n: int) -> "tuple[Figure, list[Axes]]":
    """So many plots in one figure, two beside each other."""
    n_rows, n_columns = (n + 1) // 2, min(n, 2)
    figure = _sheet(width=7.2, height=0.9 + 2.5 * n_rows)
    panels = [figure.add_subplot(n_rows, n_columns, at + 1) for at in range(n)]
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)
    return figure, panels


def _save(figure: "Figure", path: Path) -> None:
    """The same values give the same bytes: no date, no random ids."""
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "touchstone", "svg.fonttype": "none"}):
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=150, metadata=_NO_DATE.get(path.suffix[1:]))


_NO_DATE = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
