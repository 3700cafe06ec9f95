"""Qrels in columns with any blanks between them, block after block: fast where nothing is unusual."""

from array import array
from collections.abc import Iterable
from functools import partial

import numpy as np

from annotation.formats.columns import Block, Layout, read_carefully, read_fast, read_nothing
from annotation.formats.grade_map import NO_MAP, GradeMap
from annotation.formats.problems import Problems
from annotation.formats.qrels.table import Part, QrelsTable, table_of
from annotation.formats.text import Text
from annotation.formats.threads import worked_ahead


def read_spaced(
    blocks: Iterable[Block],
    layout: Layout,
    problems: Problems,
    *,
    grades: GradeMap = NO_MAP,
    carefully: bool = False,
) -> QrelsTable:
    """The kept columns of the layout are, in this order, number, docno and grade."""
    read = read_nothing if carefully else partial(fast_part, layout=layout)
    parts = [fast or _careful_part(block, layout, problems) for block, fast in worked_ahead(read, blocks)]
    return table_of(parts, problems, grades)


def fast_part(block: Block, layout: Layout) -> Part | None:
    """None where the careful reading has to do it."""
    tokens = read_fast(block, layout)
    if tokens is None:
        return None
    at_number, at_docno, at_grade = sorted(layout.keep)
    number, docno, grade = tokens.ids(at_number), tokens.ids(at_docno), tokens.grades(at_grade)
    if number is None or docno is None or grade is None:
        return None
    line = np.arange(grade.size) if tokens.line is None else tokens.line
    return Part(number, docno, grade, block.line + line)


def _careful_part(block: Block, layout: Layout, problems: Problems) -> Part:
    number, docno, grade, line = list[str](), list[str](), array("q"), array("q")
    at_number, at_docno, at_grade = sorted(layout.keep)
    for at, fields in read_carefully(block, layout, problems):
        number.append(fields[at_number])
        docno.append(fields[at_docno])
        grade.append(int(float(fields[at_grade])))  # exact in range; int alone refuses 4,301 zeros
        line.append(at)
    return Part(Text.of(number), Text.of(docno), np.array(grade, np.int64), np.array(line, np.int64))
