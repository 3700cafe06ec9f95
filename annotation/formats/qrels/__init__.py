"""Qrels in every format they come in, all of them read into a `QrelsTable`. A format is a sibling of `trec`."""

from annotation.formats.file_formats import FileFormat
from annotation.formats.qrels import cells, three_columns, trec
from annotation.formats.qrels.table import QrelsTable
from annotation.formats.qrels.trec import parse_qrels, write_qrels, write_table

FORMATS: tuple[FileFormat[QrelsTable], ...] = (
    trec.FORMAT,
    three_columns.BEIR,
    three_columns.THREE_COLUMNS,
    cells.TABLE,
    cells.JSONL,
    cells.JSON,
    cells.NESTED,
)

__all__ = ["FORMATS", "QrelsTable", "parse_qrels", "write_qrels", "write_table"]
