"""Judgments by subtopic or by group: `topic subtopic docno grade`, where a docno may stand once for each subtopic.

As TREC's web tracks give their diversity judgments, and trec_eval reads judgment groups (`-R
qrels_jg`, the second column being the group, for instance the person who judged). Otherwise as
qrels: any ASCII white space between fields, plain or gzip, LF or CR LF; blank lines and lines that
start with `#` are skipped; a negative grade is no judgment.
"""

from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from annotation.formats.columns import Layout, read_blocks, read_carefully
from annotation.formats.fields import shown
from annotation.formats.lines import DEFAULT_LIMITS, Limits
from annotation.formats.problems import Problems


@dataclass(frozen=True, eq=False)
class DiversityTable:
    """Judged triples in file order; the four columns are aligned and no triple occurs twice."""

    number: list[str]
    subtopic: list[str]  # or the group
    docno: list[str]
    grade: NDArray[np.int64]  # (n_rows,)

    def __len__(self) -> int:
        return len(self.number)


def parse_diversity_qrels(
    stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS, *, by: str = "subtopic"
) -> DiversityTable:
    """Read diversity qrels; raises `FormatError` with every fault found (file, line, reason), and for no rows.

    `by` is what messages call the second column: "group" where it is one, as for trec_eval's `-R qrels_jg`. A million
    rows take about four seconds.
    """
    layout = Layout(names=("topic", by, "docno", "grade"), keep={0: "id", 1: "id", 2: "id", 3: "grade"}, comments=True)
    numbers, subtopics, docnos, grades = list[str](), list[str](), list[str](), list[int]()
    first = dict[tuple[str, str, str], int]()
    for block in read_blocks(stream, problems, limits=limits):
        for line, fields in read_carefully(block, layout, problems):
            number, subtopic, docno, grade = fields
            before = first.setdefault((number, subtopic, docno), line)
            if before != line:
                what = f"document {shown(docno)} is already judged for topic {shown(number)}"
                problems.add(line, f"{what}, {by} {shown(subtopic)} in line {before}")
            numbers.append(number)
            subtopics.append(subtopic)
            docnos.append(docno)
            grades.append(int(float(grade)))  # exact in range; int alone refuses 4,301 zeros
    if not numbers and not problems:
        problems.add(0, "no judged document in the file")
    problems.check()
    return DiversityTable(numbers, subtopics, docnos, np.array(grades, np.int64))
