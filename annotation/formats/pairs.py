"""Pairs to judge → rows: two columns separated by white space, a table with a header, or JSONL.

Two columns: `number docno`. Blank lines and lines that start with `#` are skipped; a first line
`number docno` is a header. Qrels have four columns and are refused here with a hint, so that nobody
loses grades without noticing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from annotation.formats.column_names import PAIR
from annotation.formats.duplicates import OncePerFile
from annotation.formats.fields import WHITE, id_fault, is_header, split_blanks
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.first_bytes import is_json, is_objects, usual_fields
from annotation.formats.lines import DEFAULT_LIMITS, Limits, read_lines
from annotation.formats.mapped import (
    Cells,
    columns_of_objects,
    columns_of_table,
    has_header,
    header_in,
    rows_of_objects,
    rows_of_table,
)
from annotation.formats.objects import read_objects
from annotation.formats.problems import Problems
from annotation.formats.tables import COMMAS, TAB

COLUMNS = ("number", "docno")
QRELS = 4  # columns: not pairs, but read as such, so that the refusal can say what to do


@dataclass(frozen=True)
class PairRow:
    """One topic–document pair as a file has it."""

    number: str
    docno: str
    line: int


def read_pairs(stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS) -> Iterator[PairRow]:
    """The pairs of a file in its order. Faulty lines and repeated pairs go to `problems` and are left out."""
    once, seen = OncePerFile(problems), 0
    for line, text in read_lines(stream, problems, limits):
        fields = split_blanks(text)
        if not fields or text.startswith("#"):
            continue
        seen += 1
        if seen == 1 and is_header(fields, COLUMNS, least=2):
            continue
        row = _row(fields, line, problems)
        if row and once.accepts((row.number, row.docno), line, f"topic {row.number}, document {row.docno}"):
            yield row
    if not seen:
        problems.add(0, "there is no pair in this file")


def listed_pairs(pairs: Iterable[tuple[str, str]], problems: Problems) -> Iterator[PairRow]:
    """Numbers and docnos that come as a list, judged as those of a file; `line` counts them from 1."""
    return _mapped(((at, {"number": number, "docno": docno}) for at, (number, docno) in enumerate(pairs, 1)), problems)


def _row(fields: list[str], line: int, problems: Problems) -> PairRow | None:
    if len(fields) != len(COLUMNS):
        hint = "; which look like qrels: keep the first and third" if len(fields) == QRELS else ""
        problems.add(line, f"2 columns expected (number docno), {len(fields)} found{hint}")
        return None
    return _checked(fields[0], fields[1], line, problems)


def _checked(number: str, docno: str, line: int, problems: Problems) -> PairRow | None:
    fault = id_fault(number, "topic number") or id_fault(docno, "docno")
    if fault:
        problems.add(line, fault)
        return None
    return PairRow(number, docno, line)


def _mapped(rows: Iterable[tuple[int, Cells]], problems: Problems) -> Iterator[PairRow]:
    once, empty = OncePerFile(problems), True
    for line, cells in rows:
        empty = False
        row = _checked(cells["number"].strip(WHITE), cells["docno"].strip(WHITE), line, problems)
        if row and once.accepts((row.number, row.docno), line, f"topic {row.number}, document {row.docno}"):
            yield row
    if empty and not problems:
        problems.add(0, "there is no pair in this file")


def _from_table(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[PairRow]:
    yield from _mapped(rows_of_table(stream, problems, columns, PAIR, delimiters=TAB + COMMAS), problems)


def _from_objects(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[PairRow]:
    yield from _mapped(rows_of_objects(read_objects(stream, problems), problems, columns, PAIR), problems)


def _is_table(head: bytes) -> bool:
    """A header other than our own, which is that of two columns."""
    return has_header(head, PAIR, ("docno",)) and header_in(head)[1] != list(COLUMNS)


FORMATS: tuple[FileFormat[Iterator[PairRow]], ...] = (
    FileFormat(
        "columns",
        "Two columns: number docno",
        lambda head: not (is_json(head) or _is_table(head)) and usual_fields(head) in (len(COLUMNS), QRELS),
        lambda stream, problems, columns: read_pairs(stream, problems),
        lambda head: [("1st", "number"), ("2nd", "docno")],
    ),
    FileFormat(
        "table",
        "Table with a header (CSV or TSV)",
        _is_table,
        _from_table,
        lambda head: columns_of_table(head, PAIR),
        mapped=True,
    ),
    FileFormat(
        "jsonl",
        "JSONL, a pair a line",
        is_objects,
        _from_objects,
        lambda head: columns_of_objects(head, PAIR),
        mapped=True,
    ),
)
