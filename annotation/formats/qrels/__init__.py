"""Qrels: a form a file, all of them read into a `QrelsTable`."""

from annotation.formats.forms import Form
from annotation.formats.heads import is_json, usual_fields
from annotation.formats.qrels.table import QrelsTable
from annotation.formats.qrels.three import has_three_columns, is_beir, read_beir, read_three_columns
from annotation.formats.qrels.trec import LAYOUT, parse_qrels, write_qrels

FORMS: tuple[Form[QrelsTable], ...] = (
    Form(
        "trec",
        "TREC qrels",
        lambda head: not is_json(head) and usual_fields(head) == len(LAYOUT.names),
        lambda stream, problems, columns: parse_qrels(stream, problems),
        lambda head: [("1st", "number"), ("2nd", ""), ("3rd", "docno"), ("4th", "grade")],
    ),
    Form(
        "beir",
        "BEIR qrels",
        is_beir,
        read_beir,
        lambda head: [("query-id", "number"), ("corpus-id", "docno"), ("score", "grade")],
    ),
    Form(
        "three-columns",
        "number docno grade, without a header",
        has_three_columns,
        read_three_columns,
        lambda head: [("1st", "number"), ("2nd", "docno"), ("3rd", "grade")],
    ),
)

__all__ = ["FORMS", "QrelsTable", "parse_qrels", "write_qrels"]
