"""Runs: a form a file, all of them read into a `RunTable`."""

from annotation.formats.file_formats import FileFormat
from annotation.formats.first_bytes import is_array, is_json, is_nested, is_objects, usual_fields
from evaluation.engine.run import RunTable
from evaluation.formats.run.objects import columns_of_run, read_run_array, read_run_jsonl, read_run_nested
from evaluation.formats.run.trec import LAYOUT, parse_run

FORMATS: tuple[FileFormat[RunTable], ...] = (
    FileFormat(
        "trec",
        "TREC run",
        lambda head: not is_json(head) and usual_fields(head) >= len(LAYOUT.names),
        lambda stream, problems, columns: parse_run(stream, problems),
        lambda head: [("1st", "number"), ("2nd", ""), ("3rd", "docno"), ("4th", ""), ("5th", "score"), ("6th", "tag")],
    ),
    FileFormat("jsonl", "JSONL, a row or a topic a line", is_objects, read_run_jsonl, columns_of_run, mapped=True),
    FileFormat("json", "JSON, an array of rows or topics", is_array, read_run_array, columns_of_run, mapped=True),
    FileFormat("nested", "JSON, scores by docno by topic", is_nested, read_run_nested),
)

__all__ = ["FORMS", "parse_run"]
