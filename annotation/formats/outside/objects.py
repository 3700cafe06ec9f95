"""Judgments as JSON objects, with the keys that a table would have as columns: one a line, or in an array."""

from collections.abc import Iterator
from typing import BinaryIO

from annotation.formats.column_names import JUDGMENT
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.first_bytes import is_array, is_objects
from annotation.formats.json_stream import read_elements
from annotation.formats.mapped import Objects, columns_of_objects, rows_of_objects
from annotation.formats.objects import read_objects
from annotation.formats.outside.argilla import is_argilla
from annotation.formats.outside.doccano import is_doccano
from annotation.formats.outside.making import judgments_of
from annotation.formats.outside.rows import OutsideJudgment
from annotation.formats.outside.studio import is_studio
from annotation.formats.outside.touchstone import is_own_jsonl
from annotation.formats.problems import Problems


def _is_jsonl(head: bytes) -> bool:
    return is_objects(head) and not is_doccano(head) and not is_own_jsonl(head)


def _is_json_array(head: bytes) -> bool:
    return is_array(head) and not (is_studio(head) or is_argilla(head))


def _read_jsonl(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[OutsideJudgment]:
    yield from _judgments(read_objects(stream, problems), problems, columns)


def _read_json_array(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[OutsideJudgment]:
    yield from _judgments(read_elements(stream, problems), problems, columns)


def _judgments(objects: Objects, problems: Problems, columns: Columns) -> Iterator[OutsideJudgment]:
    return judgments_of(rows_of_objects(objects, problems, columns, JUDGMENT), problems, columns)


JSONL: FileFormat[Iterator[OutsideJudgment]] = FileFormat(
    "jsonl",
    "JSONL, a judgment a line",
    _is_jsonl,
    _read_jsonl,
    lambda head: columns_of_objects(head, JUDGMENT),
    mapped=True,
)
JSON: FileFormat[Iterator[OutsideJudgment]] = FileFormat(
    "json",
    "JSON, an array of judgments",
    _is_json_array,
    _read_json_array,
    lambda head: columns_of_objects(head, JUDGMENT),
    mapped=True,
)
