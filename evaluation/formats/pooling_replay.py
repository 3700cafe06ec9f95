"""A replay of ways to choose judgments as text: a table to look at, CSV and JSON to go on with; and its plots."""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from annotation.text.counted import percent
from evaluation.engine.adaptive.methods import METHODS
from evaluation.engine.adaptive.replay import Replay, Spent
from evaluation.engine.arrays import Floats
from evaluation.formats.plots import Estimate, plot_shares
from evaluation.formats.values import aligned, csv_text

COLUMNS = (
    *("pool", "method", "budget", "judged", "draws", "tau_b", "tau_b_sd", "tau_ap", "tau_ap_sd"),
    *("error", "ap_error", "found", "moved"),
)
WHOLE, LEFT_OUT = "all runs", "one run left out"
PLOTS: Mapping[str, str] = {
    "tau_b": "τ-b with the order under all qrels",
    "tau_ap": "τ-AP with the order under all qrels",
    "ap_error": "error of mean AP, mean over runs",
    "found": "share of the relevant documents found",
    "moved": "places by which the run left out is off",
}


def rows_of(replay: Replay) -> Iterator[dict[str, object]]:
    """A row a pool, method and budget, by the names of `COLUMNS`; None where there is no such figure.

    Means over draws, and their standard deviation (n − 1; None for one draw).
    """
    for pool, all_spent in ((WHOLE, replay.rows), (LEFT_OUT, replay.left_out)):
        for spent in all_spent:
            tau = [part for value in (spent.tau_b, spent.tau_ap) for part in (_mean(value), _spread(value))]
            rest = [_mean(value) for value in (spent.error, spent.ap_error, spent.found, spent.moved)]
            head = (pool, spent.method, spent.budget, spent.n_judged, spent.tau_b.size)
            yield dict(zip(COLUMNS, (*head, *tau, *rest), strict=True))


def as_table(replay: Replay) -> str:
    """What was replayed, then a line a method and budget."""
    head = ["pool", "method", "budget", "judged", "τ-b", "±", "τ-AP", "error", "AP error", "found", "moved"]
    names = ("tau_b", "tau_b_sd", "tau_ap", "error", "ap_error", "found", "moved")
    rows = [
        [*(str(row[name]) for name in COLUMNS[:2]), percent(cast("float", row["budget"])), str(row["judged"])]
        + [_shown(row[name]) for name in names]
        for row in rows_of(replay)
    ]
    return "\n".join([*words_of(replay), "", *aligned([head, *rows], n_names=2)]) + "\n"


def as_csv(replay: Replay) -> str:
    return stored_csv(as_object(replay))


def as_json(replay: Replay) -> str:
    return stored_json(as_object(replay))


def as_object(replay: Replay) -> dict[str, Any]:
    """Plain values, as JSON holds them: what was replayed, a row a pool, method and budget, and what to know of it."""
    names = ("measure", "rel", "depth", "n_seeds", "n_topics", "n_pairs", "n_unknown", "unlisted", "n_qrels")
    facts = {name: getattr(replay, name) for name in names} | {"runs": list(replay.tags)}
    return {**facts, "rows": list(rows_of(replay)), "words": words_of(replay)}


def stored_csv(replayed: Mapping[str, Any]) -> str:
    """Of what `as_object` gives."""
    return csv_text(COLUMNS, ([row[name] for name in COLUMNS] for row in replayed["rows"]))


def stored_json(replayed: Mapping[str, Any]) -> str:
    return json.dumps(replayed, ensure_ascii=False, indent=2) + "\n"


FILES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {"csv": stored_csv, "json": stored_json}


FORMATS: Mapping[str, Callable[[Replay], str]] = {"table": as_table, "csv": as_csv, "json": as_json}


def words_of(replay: Replay) -> list[str]:
    """What was replayed, and what must be known to read it."""
    unlisted = {"skip": "they are never chosen", "zero": "they count as judged 0"}[replay.unlisted]
    pool = f"pool of depth {replay.depth}: {replay.n_pairs} pairs, of {replay.n_qrels} in the qrels"
    how = f"{replay.measure}; relevant from grade {replay.rel}; {replay.n_seeds} seeds"
    lines = [f"{len(replay.tags)} runs, {replay.n_topics} topics; {pool}. {how}."]
    if replay.n_unknown:
        lines.append(f"{replay.n_unknown} pairs of the pool are not in the qrels: {unlisted}.")
    used = {METHODS[row.method].valuing for row in replay.rows}
    explanations = {
        "zero": "unjudged documents count as not relevant",
        "sampled": "infNDCG and xinfAP from the sample's inclusion probabilities",
        "assisted": "a regression, its error taken off by the sample",
        "expected": "grades expected by a regression where there is no judgment",
    }
    for valuing, text in explanations.items():
        if valuing in used:
            names = dict.fromkeys(row.method for row in replay.rows if METHODS[row.method].valuing == valuing)
            lines.append(f"{', '.join(names)}: {text}.")
    return lines


def write_plots(replay: Replay, folder: Path, ending: str) -> Iterator[Path]:
    """A plot for each figure of `PLOTS` that a method has, over judgments spent."""
    for pool, rows in (("", replay.rows), ("_left_out", replay.left_out)):
        for name, title in PLOTS.items():
            curves = _curves(rows, name)
            if curves:
                path = folder / f"{name}{pool}.{ending}"
                plot_shares(curves, path=path, ylabel=title, xlabel="judgments spent, share of the pool")
                yield path


def _curves(rows: Sequence[Spent], name: str) -> dict[str, list[tuple[float, Estimate]]]:
    curves: dict[str, list[tuple[float, Estimate]]] = {}
    for row in rows:
        value: Floats = getattr(row, name)
        if np.isfinite(value).all():
            mean, spread = float(value.mean()), _spread(value) or 0.0
            point = (row.budget, Estimate(mean, mean - spread, mean + spread))
            curves.setdefault(METHODS[row.method].title, []).append(point)
    return curves


def _mean(value: Floats) -> float | None:
    mean = float(value.mean())
    return None if math.isnan(mean) else mean


def _spread(value: Floats) -> float | None:
    return float(value.std(ddof=1)) if value.size > 1 else None


def _shown(value: object) -> str:
    return "–" if value is None else f"{value:.4f}"
