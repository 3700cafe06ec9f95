"""Decisions on contested pairs → CSV, a row a decision. Reasons are free text, as `cells` has it."""

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields, replace

from annotation.formats.cells import csv_line, text_cell


@dataclass(frozen=True)
class DecisionLine:
    """One decision, or its withdrawal, which has no grade. What each column is, docs/formats.md says."""

    number: str
    docno: str
    criterion: str
    action: str
    grade: int | None
    blind_grade: int | None
    changed: bool | None
    blind: bool
    knew: str
    blind_seconds: float | None
    decide_seconds: float | None
    adjudicator: int
    holds: bool
    created_at: str
    reason: str


def decisions_csv(lines: Iterable[DecisionLine]) -> Iterator[bytes]:
    """A header line, then the rows in the order given; seconds with one decimal, yes or no, empty for unknown."""
    yield csv_line([field.name for field in fields(DecisionLine)])
    for line in lines:
        yield csv_line([_cell(value) for value in astuple(_safe(line))])


def _safe(line: DecisionLine) -> DecisionLine:
    return replace(line, reason=text_cell(line.reason))


def _cell(value: object) -> object:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.1f}"
        case _:
            return value
