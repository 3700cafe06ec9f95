"""Hours of work → CSV, a row a person and day. Pseudonyms are free text, as `cells` has it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from annotation.formats.cells import csv_line, text_cell

COLUMNS = ("day", "annotator", "judgments", "active_hours", "wall_hours")


@dataclass(frozen=True)
class DayOfWork:
    """One person's work on one day (UTC). Active: the page was visible and used; wall: from opening to saving."""

    day: date
    pseudonym: str
    n_judged: int
    active_hours: float
    wall_hours: float


def hours_csv(days: Iterable[DayOfWork]) -> bytes:
    """A header line, then the rows in the order given; hours with four decimals."""
    return csv_line(COLUMNS) + b"".join(csv_line(_cells(day)) for day in days)


def _cells(day: DayOfWork) -> tuple[object, ...]:
    hours = (f"{day.active_hours:.4f}", f"{day.wall_hours:.4f}")
    return (day.day.isoformat(), text_cell(day.pseudonym), day.n_judged, *hours)
