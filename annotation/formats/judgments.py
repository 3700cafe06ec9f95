"""Raw judgments → CSV, JSONL and Parquet, streamed row by row.

Numbers and docnos are written exactly as they are; free text in CSV as `cells` has it. JSONL and
Parquet are never altered.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from types import MappingProxyType
from typing import TypeAlias

from annotation.formats.cells import csv_line, text_cell
from annotation.formats.parquet import Kind, parquet
from annotation.formats.streaming import gathered

_FREE_TEXT = frozenset(("annotator", "criterion", "batch", "comment", "guideline", "account"))
_KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "grade": "whole",
        "revision": "whole",
        "reading": "whole",
        "counted": "flag",
        "early": "flag",
        "active_ms": "whole",
        "wall_ms": "whole",
        "evidence_start": "whole",
        "evidence_end": "whole",
        "created_at": "moment",
    }
)
Cell: TypeAlias = str | int | bool | None


@dataclass(frozen=True, slots=True)
class JudgmentRow:
    """One judgment as it is given out; the order of the fields is the order of the columns."""

    number: str
    docno: str
    annotator: str  # pseudonym
    grade: int
    criterion: str
    batch: str
    revision: int
    reading: int
    counted: bool
    early: bool
    active_ms: int | None
    wall_ms: int | None
    comment: str
    evidence_start: int | None  # code points of the document's text
    evidence_end: int | None
    created_at: str  # ISO 8601 with its offset
    guideline: str  # version
    kind: str = "person"  # of the annotator: person or machine
    account: str = ""  # of the person; only among `NAMED_COLUMNS`


NAMED_COLUMNS = tuple(field.name for field in fields(JudgmentRow))
COLUMNS = NAMED_COLUMNS[:-1]  # pseudonyms alone


def judgments_csv(rows: Iterable[JudgmentRow], columns: Sequence[str] = COLUMNS) -> Iterator[bytes]:
    """A header line, then a line a judgment; yes and no are `true` and `false`, no value is an empty cell."""
    yield csv_line(columns)
    cells = attrgetter(*columns)
    lines = (csv_line([_cell(*each) for each in zip(columns, cells(row), strict=True)]) for row in rows)
    yield from gathered(lines)


def judgments_jsonl(rows: Iterable[JudgmentRow], columns: Sequence[str] = COLUMNS) -> Iterator[bytes]:
    """An object a line, keys in column order, UTF-8."""
    values, write = attrgetter(*columns), json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    return gathered(write(dict(zip(columns, values(row), strict=True))).encode() + b"\n" for row in rows)


def judgments_parquet(rows: Iterable[JudgmentRow], columns: Sequence[str] = COLUMNS) -> Iterator[bytes]:
    """The same columns; `created_at` is a time. The first piece comes once all rows are read."""
    kinds: dict[str, Kind] = {name: _KINDS.get(name, "text") for name in columns}
    return parquet(map(attrgetter(*columns), rows), kinds)


def _cell(name: str, value: Cell) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = "" if value is None else str(value)
    return text_cell(text) if name in _FREE_TEXT else text
