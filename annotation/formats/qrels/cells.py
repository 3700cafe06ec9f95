"""Qrels whose columns have names: tables with a header, and JSON objects."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO, TypeAlias

import numpy as np

from annotation.formats.column_names import JUDGED_PAIR
from annotation.formats.fields import WHITE, id_fault, shown
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.first_bytes import is_array, is_nested, is_objects
from annotation.formats.grade_map import grade_map_of
from annotation.formats.json_stream import read_elements, read_members
from annotation.formats.mapped import (
    Cells,
    columns_of_objects,
    columns_of_table,
    has_header,
    rows_of_objects,
    rows_of_table,
    text_of_cell,
)
from annotation.formats.objects import Json, ObjectsInBulk, read_objects
from annotation.formats.problems import FormatError, Problems
from annotation.formats.qrels.bulk import PairsInBulk
from annotation.formats.qrels.table import Parts, QrelsTable, table_of
from annotation.formats.qrels.three_columns import is_beir
from annotation.formats.tables import COMMAS, TAB, TableInBulk

TOGETHER = 10_000  # pairs read at once
Topic: TypeAlias = tuple[int, str, dict[str, Json]]


def is_table(head: bytes) -> bool:
    """A header in which at least docno and grade are recognised, and not BEIR's."""
    return has_header(head, JUDGED_PAIR, ("docno", "grade")) and not is_beir(head)


def read_qrels_table(stream: BinaryIO, problems: Problems, columns: Columns, *, carefully: bool = False) -> QrelsTable:
    """A million rows take about a second. `carefully`: row by row, with the same outcome many times slower."""
    pairs = PairsInBulk()
    bulk = None if carefully else TableInBulk(pairs.take)
    rows = rows_of_table(stream, problems, columns, JUDGED_PAIR, delimiters=TAB + COMMAS, bulk=bulk)
    return _table(rows, problems, columns, pairs)


def read_qrels_jsonl(stream: BinaryIO, problems: Problems, columns: Columns, *, carefully: bool = False) -> QrelsTable:
    """As `read_qrels_table`."""
    pairs = PairsInBulk()
    bulk = None if carefully else ObjectsInBulk(pairs.take)
    objects = read_objects(stream, problems, aside=bulk)
    return _table(rows_of_objects(objects, problems, columns, JUDGED_PAIR, bulk=bulk), problems, columns, pairs)


def _read_array(stream: BinaryIO, problems: Problems, columns: Columns) -> QrelsTable:
    rows = rows_of_objects(read_elements(stream, problems), problems, columns, JUDGED_PAIR)
    return _table(rows, problems, columns)


def read_qrels_nested(stream: BinaryIO, problems: Problems, columns: Columns) -> QrelsTable:
    """`{"topic": {"docno": 1, …}, …}`. A pair's line is the one on which its topic begins."""
    pairs = PairsInBulk()
    return _table(_nested(stream, problems, pairs), problems, columns, pairs)


def _nested(stream: BinaryIO, problems: Problems, pairs: PairsInBulk) -> Iterator[tuple[int, Cells]]:
    """What cannot be read many topics at once."""
    for topics in _together(read_members(stream, problems)):
        lines = np.repeat([line for line, _, _ in topics], [len(grades) for _, _, grades in topics])
        number = [number for _, number, grades in topics for _ in grades]
        docno = [docno for _, _, grades in topics for docno in grades]
        grade = [grade for _, _, grades in topics for grade in grades.values()]
        if number and not pairs.take_from(lines, [number, docno, grade]):
            for row in zip(lines.tolist(), number, docno, grade, strict=True):
                yield _cells(*row)


def _together(topics: Iterator[Topic]) -> Iterator[list[Topic]]:
    """Some topics at a time; also those before the place where reading on makes no sense."""
    some, n = list[Topic](), 0
    try:
        for topic in topics:
            some.append(topic)
            n += 1 + len(topic[2])
            if n > TOGETHER:
                yield some
                some, n = [], 0
    except FormatError:
        yield some
        raise
    yield some


def _cells(line: int, number: str, docno: str, grade: Json) -> tuple[int, Cells]:
    text = text_of_cell(grade)
    return line, {"number": number, "docno": docno, "grade": str(grade) if text is None else text}


def _table(
    rows: Iterable[tuple[int, Cells]], problems: Problems, columns: Columns, pairs: PairsInBulk | None = None
) -> QrelsTable:
    parts, grades = Parts(), grade_map_of(columns, problems)
    for line, cells in rows:
        number, docno, text = cells["number"].strip(WHITE), cells["docno"].strip(WHITE), cells["grade"].strip(WHITE)
        grade = grades.code(text)
        fault = id_fault(number, "topic number") or id_fault(docno, "docno")
        if fault or grade is None:
            problems.add(line, fault or f"the grade {shown(text)} is not a whole number")
        else:
            parts.add(number, docno, grade, line)
    return table_of([*parts.packed(), *(pairs.parts if pairs else [])], problems, grades)


TABLE: FileFormat[QrelsTable] = FileFormat(
    "table",
    "Table with a header (CSV or TSV)",
    is_table,
    read_qrels_table,
    lambda head: columns_of_table(head, JUDGED_PAIR),
    mapped=True,
    upload_help="CSV or TSV with a header",
)
JSONL: FileFormat[QrelsTable] = FileFormat(
    "jsonl",
    "JSONL, a pair a line",
    is_objects,
    read_qrels_jsonl,
    lambda head: columns_of_objects(head, JUDGED_PAIR),
    mapped=True,
    upload_help="JSONL",
)
JSON: FileFormat[QrelsTable] = FileFormat(
    "json",
    "JSON, an array of pairs",
    is_array,
    _read_array,
    lambda head: columns_of_objects(head, JUDGED_PAIR),
    mapped=True,
    upload_help="JSON",
)
NESTED: FileFormat[QrelsTable] = FileFormat("nested", "JSON, grades by docno by topic", is_nested, read_qrels_nested)
