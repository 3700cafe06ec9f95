"""Rows of a table that leaves as CSV: one dataclass a table, its fields are the columns."""

from collections.abc import Iterable
from dataclasses import fields
from datetime import date, datetime

from annotation.formats.cells import csv_line, text_cell

EXACT = frozenset({"number", "docno", "accepted"})  # ids, which other programs look up, and lists of grades


def rows_csv(kind: type, rows: Iterable[object]) -> bytes:
    """A header line, then the rows in the order given: four decimals, times as ISO 8601 in UTC, yes or no. Free text is
    kept from being run by a spreadsheet, ids are written as they are, as `cells` has it."""
    names = [field.name for field in fields(kind)]
    return csv_line(names) + b"".join(csv_line([_cell(name, getattr(row, name)) for name in names]) for row in rows)


def _cell(name: str, value: object) -> object:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4f}"
        case datetime():
            return value.strftime("%Y-%m-%dT%H:%M:%SZ")
        case date():
            return value.isoformat()
        case str():
            return value if name in EXACT else text_cell(value)
        case _:
            return value
