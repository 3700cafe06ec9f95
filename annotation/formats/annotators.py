"""The table of all annotators → CSV, a row a person. Pseudonyms are free text, as `cells` has it."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields

from annotation.formats.cells import csv_line, text_cell


@dataclass(frozen=True)
class AnnotatorLine:
    """One person as the policy sees them; None where nothing is known. What each figure is, docs/quality.md says."""

    annotator: str
    standing: str
    excluded: bool
    paused: bool
    believed: bool
    judged: int
    gold: int
    accuracy: float | None
    accuracy_low: float | None
    accuracy_high: float | None
    within_one: float | None
    leniency: float | None
    agreement_with_others: float | None
    agreement_among_others: float | None
    commonest_grade: int | None
    commonest_share: float | None
    longest_run: int | None
    near_copies: int
    checks: int
    checks_passed: int
    repeats: int
    repeats_same: int
    active_seconds: float | None
    wall_seconds: float | None
    early: float | None
    watch: str
    watch_after: int | None
    critical_errors: int


def annotators_csv(lines: Iterable[AnnotatorLine]) -> bytes:
    """A header line, then the rows in the order given; shares, steps and seconds with four decimals, yes or no."""
    head = csv_line([field.name for field in fields(AnnotatorLine)])
    return head + b"".join(csv_line([_cell(value) for value in astuple(line)]) for line in lines)


def _cell(value: object) -> object:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4f}"
        case str():
            return text_cell(value)
        case _:
            return value
