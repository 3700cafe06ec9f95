"""The tables of one annotator's page as CSV files."""

from collections.abc import Iterable
from typing import Any

from annotation.kernel.tables import Column, Kind, Table
from annotation.trust.pages.annotator.report import AlikeRow, AnnotatorReport, BandRow
from annotation.trust.pages.annotator.rows import FigureRow
from annotation.trust.pages.grade_shares import GradeShare

# `low`, `high`: a 95 % interval; `n`: what the figure rests on; `reason`: why there is no value.
FIGURES: tuple[Column[FigureRow], ...] = (
    Column("figure", lambda row: row.name),
    Column("value", lambda row: row.figure.value, Kind.NUMBER),
    Column("low", lambda row: row.figure.low, Kind.NUMBER),
    Column("high", lambda row: row.figure.high, Kind.NUMBER),
    Column("n", lambda row: row.figure.n, Kind.WHOLE),
    Column("reason", lambda row: row.figure.reason),
)

# How many gold pairs of a grade got which grade.
CONFUSION: tuple[Column[tuple[int, GradeShare]], ...] = (
    Column("gold", lambda row: row[0], Kind.WHOLE),
    Column("given", lambda row: row[1].grade, Kind.WHOLE),
    Column("pairs", lambda row: row[1].n, Kind.WHOLE),
)

# Gold judgments so many steps from the nearest accepted grade.
DISTANCES: tuple[Column[tuple[int, int]], ...] = (
    Column("steps_off", lambda row: row[0], Kind.WHOLE),
    Column("gold_judgments", lambda row: row[1], Kind.WHOLE),
)

# Of whom this person is nearly a copy. `left_out`: others as alike, who explain nothing here.
ALIKE: tuple[Column[AlikeRow], ...] = (
    Column("annotator", lambda row: row.pseudonym),
    Column("pairs_shared", lambda row: row.n, Kind.WHOLE),
    Column("same", lambda row: row.same, Kind.NUMBER),
    Column("explained", lambda row: row.expected, Kind.NUMBER),
    Column("left_out", lambda row: row.n_left_out, Kind.WHOLE),
)

# A stretch of sessions; low and high: Wilson, 95 %.
BANDS: tuple[Column[BandRow], ...] = (
    Column("place", lambda row: row.name),
    Column("gold", lambda row: row.n_gold, Kind.WHOLE),
    Column("right", lambda row: row.right, Kind.NUMBER),
    Column("low", lambda row: None if row.right is None else row.low, Kind.NUMBER),
    Column("high", lambda row: None if row.right is None else row.high, Kind.NUMBER),
    Column("median_seconds", lambda row: row.seconds, Kind.NUMBER),
)


def _figures(report: AnnotatorReport) -> Iterable[FigureRow]:
    return (*report.on_gold, *report.beside_others, *report.habits, *report.over_time)


def _confusion(report: AnnotatorReport) -> Iterable[tuple[int, GradeShare]]:
    return ((gold, share) for gold, shares, _ in report.confusion for share in shares)


PERSON_TABLES: dict[str, Table[AnnotatorReport, Any]] = {
    "figures": Table(FIGURES, _figures),
    "confusion": Table(CONFUSION, _confusion),
    "distances": Table(DISTANCES, lambda report: report.n_off),
    "alike": Table(ALIKE, lambda report: report.alike),
    "bands": Table(BANDS, lambda report: report.bands),
}
