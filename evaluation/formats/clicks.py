"""Simulated clicks as a log; the power of interleaving as a table, as facts and as a plot."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from annotation.text.counted import percent
from evaluation.engine.arrays import Bools, Ints
from evaluation.engine.clicks.power import Power, Share
from evaluation.engine.interleaving.lists import Lists
from evaluation.formats.plots import Estimate, plot_power
from evaluation.formats.values import aligned

HEAD = ["impressions", "interleaving", "±", "wrong", "A/B test", "±", "wrong"]
TARGET = 0.8


def clicks_jsonl(lists: Lists, row: Ints, clicked: Bools) -> Iterator[bytes]:
    """A row a click, and one with `clicked` 0 of each impression without any: what `credit_clicks` reads.

    `row` (n_impressions,) is the list of each impression, `clicked` (n_impressions, depth).
    """
    write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    for impression, (at, hits) in enumerate(zip(row.tolist(), clicked, strict=True), 1):
        indexes = np.flatnonzero(hits).tolist()
        shared = {"number": lists.number[at], "list": int(lists.serial[at]), "impression": str(impression)}
        rows = [{**shared, "position": index + 1, "docno": lists.docno[at][index], "clicked": 1} for index in indexes]
        rows = rows or [{**shared, "position": 1, "docno": lists.docno[at][0], "clicked": 0}]
        yield "".join(f"{write(one)}\n" for one in rows).encode()


def power_as_facts(power: Power) -> dict[str, object]:
    return {**asdict(power), "words": words_of_power(power)}


def power_as_text(power: Power) -> str:
    rows = [[f"{point.n:,}", *_cells(point.interleaving), *_cells(point.ab)] for point in power.points]
    return "\n".join([*aligned([HEAD, *rows], n_names=0), "", *words_of_power(power)])


def words_of_power(power: Power) -> list[str]:
    first, second = power.runs
    users = f"users who click as {power.clicks}, {power.n_topics} topics"
    size = f"{power.replications:,} replications, alpha {power.alpha:g}"
    wins = f"{first} wins {percent(power.share, 1)} of the decided impressions"
    ties = f"{percent(power.tied, 1)} of those with clicks are ties"
    means = f"{power.rates[0]:.4f} and {power.rates[1]:.4f}"
    return [
        _least("Interleaving", [(point.n, point.interleaving) for point in power.points]),
        _least("The A/B test", [(point.n, point.ab) for point in power.points]),
        "Impressions are independent for these topics alone: where topics are to stand for others, it takes more.",
        f"{power.method[0].upper()}{power.method[1:]} of {first} and {second}, {users}; {size}.",
        f"{wins}; {ties}. A/B test of {power.outcome}: {means}.",
    ]


def _least(name: str, shares: Sequence[tuple[int, Share]]) -> str:
    least = next(((n, share.found) for n, share in shares if share.found >= TARGET), None)
    if least is None:
        often = f"in {percent(TARGET)} of the replications with {shares[-1][0]:,} impressions or fewer"
        return f"{name} does not find a difference {often}."
    fewest = ", the fewest that were tried" if least[0] == shares[0][0] else ""
    often = f"{percent(least[1])} of the replications with {least[0]:,} impressions"
    return f"{name} finds a difference in {often}{fewest}."


def plot_of_power(power: Power, path: Path) -> None:
    """Power by impressions, a line a test, with two Monte Carlo errors either side."""
    curves = {
        f"interleaving ({power.method})": [_estimate(point.interleaving) for point in power.points],
        f"A/B test ({power.outcome})": [_estimate(point.ab) for point in power.points],
    }
    title = f"{power.runs[0]} and {power.runs[1]}, clicks: {power.clicks}; bands: two Monte Carlo errors"
    plot_power(curves, [point.n for point in power.points], title=title, path=path, target=TARGET)


def _cells(share: Share) -> Sequence[str]:
    return [f"{share.found:.3f}", f"{share.error:.3f}", f"{share.wrong:.3f}"]


def _estimate(share: Share) -> Estimate:
    return Estimate(share.found, max(0.0, share.found - 2 * share.error), min(1.0, share.found + 2 * share.error))
