"""Ratings of a Quepid case: a CSV of exactly `query,docid,rating`.

A query is its text; its number is that text with `_` for blanks, unless the importer knows a topic
of this title. The file does not say who rated: it is `Quepid`, or who is chosen as `=name`.
Documents without a rating are left aside.
"""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from annotation.formats.column_names import ANNOTATOR
from annotation.formats.fields import WHITE
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.mapped import Cells, columns_of_table, header_in, rows_of_table
from annotation.formats.mapping import Meaning
from annotation.formats.outside.making import judgments_of
from annotation.formats.outside.rows import OutsideJudgment
from annotation.formats.problems import Problems
from annotation.formats.tables import COMMAS

HEADER = ("query", "docid", "rating")
MEANINGS = tuple(
    Meaning(*pair) for pair in zip(("number", "docno", "grade"), ((name,) for name in HEADER), strict=True)
)


def is_quepid(head: bytes) -> bool:
    return tuple(name.strip(WHITE).lower() for name in header_in(head)[1]) == HEADER


def number_of_query(query: str) -> str:
    """A query's text as a topic number."""
    return "_".join(query.split())


def _read(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[OutsideJudgment]:
    annotator = {ANNOTATOR.name: columns.get(ANNOTATOR.name, "=Quepid")}
    rows = rows_of_table(stream, problems, {**columns, **annotator}, (*MEANINGS, ANNOTATOR), delimiters=COMMAS)
    yield from judgments_of(_rated(rows, problems), problems, columns)


def _rated(rows: Iterable[tuple[int, Cells]], problems: Problems) -> Iterator[tuple[int, Cells]]:
    n_unrated = 0
    for line, cells in rows:
        if cells["grade"].strip(WHITE):
            yield line, {**cells, "number": number_of_query(cells["number"])}
        else:
            n_unrated += 1
    if n_unrated:
        problems.note(0, f"documents without a rating, left aside: {n_unrated}")


FORMAT: FileFormat[Iterator[OutsideJudgment]] = FileFormat(
    "quepid",
    "Quepid ratings (CSV: query, docid, rating)",
    is_quepid,
    _read,
    lambda head: columns_of_table(head, MEANINGS),
    mapped=True,
)
