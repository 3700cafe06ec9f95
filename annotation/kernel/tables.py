"""Tables: each column is declared once, and the page, the CSV file, the API and the docs' test read the same list."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, auto
from typing import Generic, TypeVar

from annotation.formats.cells import csv_line, text_cell

Row = TypeVar("Row")
Source = TypeVar("Source")
Value = str | int | float | Decimal | date | None  # also bool and datetime


def natural_order(number: str) -> list[tuple[int, str]]:
    """The key by which people look for a topic: 2 before 10, T2 before T10."""
    parts = re.split(r"0*([0-9]+)", number)
    return [(len(part) if at % 2 else 0, part) for at, part in enumerate(parts)]


class Kind(Enum):
    """What the values of a column are."""

    ID = auto()  # what other programs look up: written exactly as it is, also where a spreadsheet would run it
    TEXT = auto()
    WHOLE = auto()
    NUMBER = auto()
    YES_NO = auto()
    TIME = auto()


@dataclass(frozen=True)
class Cell:
    """What a page shows of a value; `note` stands behind it in grey, `strong` makes it bold, `address` a link.

    `tone`: a badge of this tone, "plain" of none. `most`: of how many so many are `done`; then it is drawn as progress.
    """

    text: str
    note: str = ""
    strong: bool = False
    address: str = ""
    tone: str = ""
    done: int = 0
    most: int = 0


@dataclass(frozen=True)
class Shown(Generic[Row]):
    """How a page shows a column."""

    head: str
    cell: Callable[[Row], Cell] | None = None  # None: the value as it is, with two decimals
    where_any: Callable[[Row], bool] | None = None  # the column is left out where this holds of no row
    is_numeric: bool = True
    is_narrow: bool = False
    term: str = ""  # in the legend, where it is not the head
    meaning: str = ""  # in the legend; empty: not in it


@dataclass(frozen=True)
class Column(Generic[Row]):
    """`name` in CSV files, the API and docs/formats.md; `help` in the schema of the API; `sort`: its key in an address,
    empty where nobody sorts by it; `order`: by what, if not by its value; `shown`: None where it is on no page."""

    name: str
    get: Callable[[Row], Value]
    kind: Kind = Kind.TEXT
    help: str = ""
    nullable: bool = False
    choices: Sequence[str] = ()
    decimals: int = 4
    sort: str = ""
    order: Callable[[Row], tuple[float, float]] | None = None
    shown: Shown[Row] | None = None


@dataclass(frozen=True)
class Table(Generic[Source, Row]):
    """Columns, and the rows that they show of a source."""

    columns: Sequence[Column[Row]]
    rows: Callable[[Source], Iterable[Row]]

    def lines(self, source: Source) -> Iterator[bytes]:
        """The CSV file line by line, for tables that grow with the work. The rows are asked for at once."""
        return csv_lines(self.columns, self.rows(source))

    def csv(self, source: Source) -> bytes:
        return rows_csv(self.columns, self.rows(source))


def rows_csv(columns: Sequence[Column[Row]], rows: Iterable[Row]) -> bytes:
    return b"".join(csv_lines(columns, rows))


def csv_lines(columns: Sequence[Column[Row]], rows: Iterable[Row]) -> Iterator[bytes]:
    """A header line, then the rows in the order given: four decimals, times as ISO 8601 in UTC, yes or no. Free text is
    kept from being run by a spreadsheet, ids are written as they are, as `cells` has it."""
    yield csv_line([column.name for column in columns])
    for row in rows:
        yield csv_line([_spelling(column, column.get(row)) for column in columns])


def _spelling(column: Column[Row], value: Value) -> object:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.{column.decimals}f}"
        case datetime():
            return value.strftime("%Y-%m-%dT%H:%M:%SZ")
        case date():
            return value.isoformat()
        case str():
            return value if column.kind is Kind.ID else text_cell(value)
        case _:
            return value
