"""The table of all gold → CSV, a row a pair. Reasons and explanations are free text, as `cells` has it."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields

from annotation.formats.cells import csv_line, text_cell

_FREE = ("reason", "explanation")


@dataclass(frozen=True)
class GoldLine:
    """A gold pair with what people made of it. `accepted`: grades with blanks between. `evidence_against`: log odds."""

    number: str
    docno: str
    grade: int
    accepted: str
    seen: int
    judged: int
    right: int
    within_one: int
    evidence_against: float
    suspect: bool
    reason: str
    explanation: str
    set_on: str


def gold_csv(lines: Iterable[GoldLine]) -> bytes:
    """A header line, then the rows in the order given; evidence with four decimals, yes or no."""
    names = [field.name for field in fields(GoldLine)]
    rows = (csv_line([_cell(*each) for each in zip(names, astuple(line), strict=True)]) for line in lines)
    return csv_line(names) + b"".join(rows)


def _cell(name: str, value: object) -> object:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4f}"
        case str() if name in _FREE:
            return text_cell(value)
        case _:
            return value
