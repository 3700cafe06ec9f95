"""Judgments made elsewhere in every format they come in, read row by row into `OutsideJudgment`.

A format is a sibling of `table`. Beside columns, what a person has chosen may hold `grades`: what words are worth
(`parse_grade_map`).
"""

from collections.abc import Iterator

from annotation.formats.file_formats import FileFormat
from annotation.formats.outside import doccano, mturk, objects, studio, table, touchstone
from annotation.formats.outside.grades import parse_grade_map
from annotation.formats.outside.making import GRADES
from annotation.formats.outside.rows import CANNOT_JUDGE, OutsideJudgment

FORMATS: tuple[FileFormat[Iterator[OutsideJudgment]], ...] = (
    table.CSV,
    table.TSV,
    objects.JSONL,
    objects.JSON,
    mturk.FORMAT,
    studio.FORMAT,
    doccano.FORMAT,
    touchstone.CSV,
    touchstone.JSONL,
)

__all__ = ["CANNOT_JUDGE", "FORMATS", "GRADES", "OutsideJudgment", "parse_grade_map"]
