"""Judgments made elsewhere: a form a file, all of them read row by row into `OutsideJudgment`.

Beside columns, what a person has chosen may hold `grades`: what words are worth (`parse_grade_map`).
"""

from collections.abc import Iterator
from functools import partial

from annotation.formats.forms import Form
from annotation.formats.mapped import columns_of_table
from annotation.formats.meanings import JUDGMENT
from annotation.formats.outside.grades import parse_grade_map
from annotation.formats.outside.making import GRADES
from annotation.formats.outside.rows import CANNOT_JUDGE, OutsideJudgment
from annotation.formats.outside.table import is_table, read_judgment_table
from annotation.formats.tables import COMMAS, TAB

FORMS: tuple[Form[Iterator[OutsideJudgment]], ...] = (
    Form(
        "csv",
        "CSV with a header",
        partial(is_table, tabs=False),
        lambda stream, problems, columns: read_judgment_table(stream, problems, columns, delimiters=COMMAS),
        lambda head: columns_of_table(head, JUDGMENT),
        mapped=True,
    ),
    Form(
        "tsv",
        "TSV with a header",
        partial(is_table, tabs=True),
        lambda stream, problems, columns: read_judgment_table(stream, problems, columns, delimiters=TAB),
        lambda head: columns_of_table(head, JUDGMENT),
        mapped=True,
    ),
)

__all__ = ["CANNOT_JUDGE", "FORMS", "GRADES", "OutsideJudgment", "parse_grade_map"]
