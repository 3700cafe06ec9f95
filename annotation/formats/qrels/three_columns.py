"""Qrels in three columns: with BEIR's header, or without one as the Cranfield collection has them.

BEIR: a first line `query-id<TAB>corpus-id<TAB>score`, then a pair a line. Without a header: `number
docno grade`, any blanks between them and behind them. Grades are taken as they stand: Cranfield's
own run the other way (1 is the best), and nothing is turned round here.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from annotation.formats.columns import Block, Layout, read_blocks
from annotation.formats.fields import whole_number
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.first_bytes import head_lines, is_json, usual_fields
from annotation.formats.grade_map import grade_map_of
from annotation.formats.problems import Problems
from annotation.formats.qrels.spaced import read_spaced
from annotation.formats.qrels.table import QrelsTable

HEADER = ("query-id", "corpus-id", "score")
LAYOUT = Layout(names=("number", "docno", "grade"), keep={0: "id", 1: "id", 2: "grade"}, comments=True)
BEIR_LAYOUT = replace(LAYOUT, comments=False)  # a number may begin with `#`
AS_THEY_STAND = "grades are taken as they stand; in Cranfield's own qrels 1 is the best and 4 the least"


def is_beir(head: bytes) -> bool:
    lines = head_lines(head, comments=False)
    return bool(lines) and _is_header(lines[0])


def _has_three_columns(head: bytes) -> bool:
    """Most of the first lines have three fields, and the first line ends with a whole number."""
    lines = head_lines(head)
    if is_json(head) or not lines or usual_fields(head) != len(LAYOUT.names):
        return False
    return any(whole_number(line.split()[-1].decode(errors="replace")) is not None for line in lines[:1])


def _read_beir(stream: BinaryIO, problems: Problems, columns: Columns) -> QrelsTable:
    """As `parse_qrels`; the header may be left out where the format was chosen."""
    grades = grade_map_of(columns, problems)
    return read_spaced(_behind_header(read_blocks(stream, problems)), BEIR_LAYOUT, problems, grades=grades)


def _read_three_columns(stream: BinaryIO, problems: Problems, columns: Columns) -> QrelsTable:
    problems.note(0, AS_THEY_STAND)
    return read_spaced(read_blocks(stream, problems), LAYOUT, problems, grades=grade_map_of(columns, problems))


def _is_header(line: bytes) -> bool:
    return tuple(line.decode(errors="replace").split()) == HEADER


def _behind_header(blocks: Iterator[Block]) -> Iterator[Block]:
    first = next(blocks, None)
    if first is None:
        return
    lines = first.text.split(b"\n")
    at = next((i for i, line in enumerate(lines) if line.strip()), 0)
    yield Block(b"\n".join(lines[at + 1 :]), first.line + at + 1) if _is_header(lines[at]) else first
    yield from blocks


BEIR: FileFormat[QrelsTable] = FileFormat(
    "beir",
    "BEIR qrels",
    is_beir,
    _read_beir,
    lambda head: [("query-id", "number"), ("corpus-id", "docno"), ("score", "grade")],
    upload_help="BEIR",
)
THREE_COLUMNS: FileFormat[QrelsTable] = FileFormat(
    "three-columns",
    "number docno grade, without a header",
    _has_three_columns,
    _read_three_columns,
    lambda head: [("1st", "number"), ("2nd", "docno"), ("3rd", "grade")],
)
