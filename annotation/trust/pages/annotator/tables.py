"""The tables of one annotator's page as lines that leave."""

from collections.abc import Callable, Sequence

from annotation.formats.annotator_tables import (
    AlikeLine,
    BandLine,
    ConfusionLine,
    DistanceLine,
    FigureLine,
    PersonLine,
)
from annotation.trust.pages.annotator.report import AnnotatorReport

Lines = Callable[[AnnotatorReport], Sequence[PersonLine]]


def person_lines(table: str, report: AnnotatorReport) -> tuple[type[PersonLine], Sequence[PersonLine]]:
    """Their kind and the lines. Raises `KeyError` for a table that there is not."""
    kind, lines = PERSON_TABLES[table]
    return kind, lines(report)


def _figures(report: AnnotatorReport) -> Sequence[PersonLine]:
    rows = (*report.on_gold, *report.beside_others, *report.habits, *report.over_time)
    return [
        FigureLine(row.name, row.figure.value, row.figure.low, row.figure.high, row.figure.n, row.figure.reason)
        for row in rows
    ]


def _confusion(report: AnnotatorReport) -> Sequence[PersonLine]:
    return [ConfusionLine(gold, share.grade, share.n) for gold, shares, _ in report.confusion for share in shares]


def _bands(report: AnnotatorReport) -> Sequence[PersonLine]:
    return [
        BandLine(
            place=row.name,
            gold=row.n_gold,
            right=row.right,
            low=None if row.right is None else row.low,
            high=None if row.right is None else row.high,
            median_seconds=row.seconds,
        )
        for row in report.bands
    ]


PERSON_TABLES: dict[str, tuple[type[PersonLine], Lines]] = {
    "figures": (FigureLine, _figures),
    "confusion": (ConfusionLine, _confusion),
    "distances": (DistanceLine, lambda report: [DistanceLine(step, n) for step, n in report.n_off]),
    "alike": (
        AlikeLine,
        lambda report: [
            AlikeLine(row.pseudonym, row.n, row.same, row.expected, row.n_left_out) for row in report.alike
        ],
    ),
    "bands": (BandLine, _bands),
}
