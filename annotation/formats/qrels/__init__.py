"""Qrels: a form a file, all of them read into a `QrelsTable`."""

from annotation.formats.column_names import JUDGED_PAIR
from annotation.formats.file_formats import FileFormat
from annotation.formats.first_bytes import is_array, is_json, is_nested, is_objects, usual_fields
from annotation.formats.mapped import columns_of_objects, columns_of_table
from annotation.formats.qrels.cells import (
    is_table,
    read_qrels_array,
    read_qrels_jsonl,
    read_qrels_nested,
    read_qrels_table,
)
from annotation.formats.qrels.table import QrelsTable
from annotation.formats.qrels.three import has_three_columns, is_beir, read_beir, read_three_columns
from annotation.formats.qrels.trec import LAYOUT, parse_qrels, write_qrels, write_table

FORMATS: tuple[FileFormat[QrelsTable], ...] = (
    FileFormat(
        "trec",
        "TREC qrels",
        lambda head: not (is_json(head) or is_table(head)) and usual_fields(head) == len(LAYOUT.names),
        lambda stream, problems, columns: parse_qrels(stream, problems),
        lambda head: [("1st", "number"), ("2nd", ""), ("3rd", "docno"), ("4th", "grade")],
        upload_help="TREC qrels (topic, iteration, docno, grade)",
    ),
    FileFormat(
        "beir",
        "BEIR qrels",
        is_beir,
        read_beir,
        lambda head: [("query-id", "number"), ("corpus-id", "docno"), ("score", "grade")],
        upload_help="BEIR",
    ),
    FileFormat(
        "three-columns",
        "number docno grade, without a header",
        has_three_columns,
        read_three_columns,
        lambda head: [("1st", "number"), ("2nd", "docno"), ("3rd", "grade")],
    ),
    FileFormat(
        "table",
        "Table with a header (CSV or TSV)",
        is_table,
        read_qrels_table,
        lambda head: columns_of_table(head, JUDGED_PAIR),
        mapped=True,
        upload_help="CSV or TSV with a header",
    ),
    FileFormat(
        "jsonl",
        "JSONL, a pair a line",
        is_objects,
        read_qrels_jsonl,
        lambda head: columns_of_objects(head, JUDGED_PAIR),
        mapped=True,
        upload_help="JSONL",
    ),
    FileFormat(
        "json",
        "JSON, an array of pairs",
        is_array,
        read_qrels_array,
        lambda head: columns_of_objects(head, JUDGED_PAIR),
        mapped=True,
        upload_help="JSON",
    ),
    FileFormat("nested", "JSON, grades by docno by topic", is_nested, read_qrels_nested),
)

__all__ = ["FORMS", "QrelsTable", "parse_qrels", "write_qrels", "write_table"]
