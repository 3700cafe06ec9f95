"""Judgments made elsewhere: a form a file, all of them read row by row into `OutsideJudgment`.

Beside columns, what a person has chosen may hold `grades`: what words are worth (`parse_grade_map`).
"""

from collections.abc import Iterator
from functools import partial

from annotation.formats.column_names import JUDGMENT
from annotation.formats.file_formats import FileFormat
from annotation.formats.mapped import columns_of_objects, columns_of_table
from annotation.formats.outside.doccano import columns_of_doccano, is_doccano, read_doccano
from annotation.formats.outside.grades import parse_grade_map
from annotation.formats.outside.making import GRADES
from annotation.formats.outside.mturk import columns_of_mturk, is_mturk, read_mturk
from annotation.formats.outside.objects import is_json_array, is_jsonl, read_json_array, read_jsonl
from annotation.formats.outside.rows import CANNOT_JUDGE, OutsideJudgment
from annotation.formats.outside.studio import columns_of_tasks, is_studio, read_studio
from annotation.formats.outside.table import is_table, read_judgment_table
from annotation.formats.outside.touchstone import (
    columns_of_own,
    is_own_csv,
    is_own_jsonl,
    read_own_csv,
    read_own_jsonl,
)
from annotation.formats.tables import COMMAS, TAB

FORMATS: tuple[FileFormat[Iterator[OutsideJudgment]], ...] = (
    FileFormat(
        "csv",
        "CSV with a header",
        lambda head: is_table(head, tabs=False) and not (is_mturk(head) or is_own_csv(head)),
        partial(read_judgment_table, delimiters=COMMAS),
        lambda head: columns_of_table(head, JUDGMENT),
        mapped=True,
    ),
    FileFormat(
        "tsv",
        "TSV with a header",
        partial(is_table, tabs=True),
        partial(read_judgment_table, delimiters=TAB),
        lambda head: columns_of_table(head, JUDGMENT),
        mapped=True,
    ),
    FileFormat(
        "jsonl",
        "JSONL, a judgment a line",
        is_jsonl,
        read_jsonl,
        lambda head: columns_of_objects(head, JUDGMENT),
        mapped=True,
    ),
    FileFormat(
        "json",
        "JSON, an array of judgments",
        is_json_array,
        read_json_array,
        lambda head: columns_of_objects(head, JUDGMENT),
        mapped=True,
    ),
    FileFormat("mturk", "Mechanical Turk results (CSV)", is_mturk, read_mturk, columns_of_mturk, mapped=True),
    FileFormat("label-studio", "Label Studio export (JSON)", is_studio, read_studio, columns_of_tasks, mapped=True),
    FileFormat("doccano", "doccano export (JSONL)", is_doccano, read_doccano, columns_of_doccano, mapped=True),
    FileFormat("touchstone-csv", "Touchstone judgments (CSV)", is_own_csv, read_own_csv, columns_of_own, mapped=True),
    FileFormat(
        "touchstone-jsonl", "Touchstone judgments (JSONL)", is_own_jsonl, read_own_jsonl, columns_of_own, mapped=True
    ),
)

__all__ = ["CANNOT_JUDGE", "FORMS", "GRADES", "OutsideJudgment", "parse_grade_map"]
