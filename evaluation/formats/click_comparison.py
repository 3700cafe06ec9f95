"""Judgments and clicks together as a table, as facts and as plots."""

import math
from dataclasses import asdict
from pathlib import Path

from annotation.text.p_values import tabled_p
from evaluation.engine.clicks.comparison import ClickComparison, GradeRates, Position, Rate
from evaluation.engine.clicks.contradictions import Contradiction
from evaluation.engine.clicks.words import words_of_comparison
from evaluation.formats.plots import Estimate, plot_points
from evaluation.formats.values import aligned

GRADES = ["grade", "pairs", "impressions", "clicks", "ctr", "corrected", "low", "high"]
POSITIONS = ["position", "impressions", "clicks", "propensity", "low", "high"]
PAIRS = ["kind", "topic", "docno", "grade", "impressions", "clicks", "corrected", "others", "p", "adjusted"]


def comparison_as_facts(comparison: ClickComparison, *, pairs: bool = True) -> dict[str, object]:
    """Null: unknown. `pairs`: whether each judged pair of the log is listed."""
    facts = asdict(comparison)
    if not pairs:
        del facts["pairs"]
    return {**facts, "n_pairs": len(comparison.pairs), "words": words_of_comparison(comparison)}


def comparison_as_text(comparison: ClickComparison) -> str:
    tables = [
        aligned([GRADES, *map(_grade_cells, comparison.grades)], n_names=0),
        aligned([POSITIONS, *map(_position_cells, comparison.positions)], n_names=0),
    ]
    if comparison.contradictions:
        tables.append(aligned([PAIRS, *map(_pair_cells, comparison.contradictions)], n_names=3))
    return "\n".join([*(line for table in tables for line in [*table, ""]), *words_of_comparison(comparison)])


def plot_of_comparison(comparison: ClickComparison, path: Path) -> None:
    """Corrected rates of pairs by grade, their pooled rates with intervals, contradictions in another colour."""
    odd = {(one.number, one.docno) for one in comparison.contradictions}
    points = [(one.grade, one.corrected, (one.number, one.docno) in odd) for one in comparison.pairs]
    means = [(one.grade, _estimate(one.corrected)) for one in comparison.grades]
    plot_points(points, means, title="corrected click rate of judged pairs, and of each grade", path=path)


def _grade_cells(one: GradeRates) -> list[str]:
    counts = [str(one.grade), f"{one.n_pairs:,}", f"{one.impressions:,.0f}", f"{one.clicks:,.0f}"]
    return [*counts, f"{one.ctr.value:.4f}", *_rate(one.corrected)]


def _position_cells(one: Position) -> list[str]:
    return [str(one.position), f"{one.impressions:,.0f}", f"{one.clicks:,.0f}", *_rate(one.propensity)]


def _pair_cells(one: Contradiction) -> list[str]:
    counts = [one.kind, one.number, one.docno, str(one.grade), f"{one.impressions:,.0f}", f"{one.clicks:,.0f}"]
    return [*counts, f"{one.corrected:.4f}", f"{one.other:.4f}", tabled_p(one.p), tabled_p(one.p_adjusted)]


def _rate(rate: Rate) -> list[str]:
    ends = ["" if one is None else f"{one:.4f}" for one in (rate.low, rate.high)]
    return [f"{rate.value:.4f}", *ends]


def _estimate(rate: Rate) -> Estimate:
    return Estimate(rate.value, *(math.nan if one is None else one for one in (rate.low, rate.high)))
