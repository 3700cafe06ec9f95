"""Judgments made elsewhere in every format they come in, read row by row into `OutsideJudgment`.

A format is a sibling of `table`. Beside columns, what a person has chosen may hold `grades`: what
words are worth (`annotation.formats.grade_map`).
"""

from collections.abc import Iterator

from annotation.formats.file_formats import FileFormat
from annotation.formats.outside import argilla, doccano, mturk, objects, quepid, studio, table, toloka, touchstone
from annotation.formats.outside.rows import OutsideJudgment

FORMATS: tuple[FileFormat[Iterator[OutsideJudgment]], ...] = (
    table.CSV,
    table.TSV,
    objects.JSONL,
    objects.JSON,
    mturk.FORMAT,
    toloka.FORMAT,
    quepid.FORMAT,
    studio.FORMAT,
    argilla.FORMAT,
    doccano.FORMAT,
    touchstone.CSV,
    touchstone.JSONL,
)

__all__ = ["FORMATS", "OutsideJudgment"]
