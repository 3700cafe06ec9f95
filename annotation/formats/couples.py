"""Agreement of every two people → CSV, a row a couple. Pseudonyms are free text, as `cells` has it."""

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields

from annotation.formats.cells import csv_line, text_cell


@dataclass(frozen=True)
class CoupleLine:
    """Two people, how many pairs both judged, the share with the same grade, and κ; None where it is undefined."""

    first: str
    second: str
    shared: int
    same: float
    kappa: float | None
    kappa_quadratic: float | None


def couples_csv(lines: Iterable[CoupleLine]) -> Iterator[bytes]:
    """A header line, then the rows in the order given; shares and coefficients with four decimals."""
    yield csv_line([field.name for field in fields(CoupleLine)])
    for line in lines:
        yield csv_line([_cell(value) for value in astuple(line)])


def _cell(value: object) -> object:
    match value:
        case float():
            return f"{value:.4f}"
        case str():
            return text_cell(value)
        case _:
            return value
