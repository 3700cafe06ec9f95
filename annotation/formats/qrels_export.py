"""Qrels → CSV, JSONL and Parquet: pairs with what is known of each, streamed."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from types import MappingProxyType
from typing import BinaryIO

from annotation.formats.cells import csv_line, text_cell
from annotation.formats.parquet import Kind, parquet
from annotation.formats.streaming import gathered


@dataclass(frozen=True, slots=True)
class QrelsPair:
    """A pair as it is given out; the order of the fields is the order of the columns.

    What follows the grade is that of `FrozenPair`, and None where the qrels came as a file.
    """

    number: str
    docno: str
    criterion: str
    grade: int
    confidence: float | None = None
    n_judgments: int | None = None
    min: int | None = None
    median: float | None = None
    max: int | None = None
    source: str = "imported"


COLUMNS = tuple(field.name for field in fields(QrelsPair))
_KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "number": "text",
        "docno": "text",
        "criterion": "text",
        "grade": "whole",
        "confidence": "decimal",
        "n_judgments": "whole",
        "min": "whole",
        "median": "decimal",
        "max": "whole",
        "source": "text",
    }
)
_values = attrgetter(*COLUMNS)


def trec_rows(lines: BinaryIO) -> Iterator[tuple[str, str, int]]:
    """`(number, docno, grade)` of each line that `write_qrels` has written, one at a time."""
    for line in lines:
        number, _, docno, grade = line.split()
        yield number.decode(), docno.decode(), int(grade)


def pairs_of_trec(lines: BinaryIO, criterion: str) -> Iterator[QrelsPair]:
    """The pairs of qrels that `write_qrels` has written."""
    return (QrelsPair(number, docno, criterion, grade) for number, docno, grade in trec_rows(lines))


def pairs_of_jsonl(lines: BinaryIO) -> Iterator[QrelsPair]:
    """The pairs of a file that `snapshot_jsonl` has written."""
    return (QrelsPair(**json.loads(line)) for line in lines)


def qrels_csv(pairs: Iterable[QrelsPair]) -> Iterator[bytes]:
    """A header line, then a line a pair; no value is an empty cell."""
    yield csv_line(COLUMNS)
    yield from gathered(csv_line(_cells(pair)) for pair in pairs)


def qrels_jsonl(pairs: Iterable[QrelsPair]) -> Iterator[bytes]:
    """An object a line, keys in column order, UTF-8: of frozen pairs the bytes of `snapshot_jsonl`."""
    write = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
    return gathered(write(dict(zip(COLUMNS, _values(pair), strict=True))).encode() + b"\n" for pair in pairs)


def qrels_parquet(pairs: Iterable[QrelsPair]) -> Iterator[bytes]:
    """The same columns. The first piece comes once all pairs are read."""
    return parquet(map(_values, pairs), _KINDS)


def qrels_quepid(pairs: Iterable[QrelsPair], titles: Mapping[str, str]) -> Iterator[bytes]:
    """Ratings as Quepid imports them: the query is the topic's title, else its number. Negative grades are left out."""
    yield csv_line(("query", "docid", "rating"))
    judged = (pair for pair in pairs if pair.grade >= 0)
    yield from gathered(csv_line((titles.get(p.number) or p.number, p.docno, p.grade)) for p in judged)


def _cells(pair: QrelsPair) -> Iterator[object]:
    """Ids as they are; the criterion is free text."""
    return (text_cell(pair.criterion) if name == "criterion" else getattr(pair, name) for name in COLUMNS)
