"""Preferences between documents: `topic group subgroup docno level`, as trec_eval reads them by `-R prefs`.

Within a subgroup a document of a higher level is preferred to one of a lower; nothing else is said
by the numbers, but that 0 is not relevant. The subgroups of a group order its documents piece by
piece and may not contradict each other; groups may. Fields are separated by any ASCII white space;
plain or gzip; blank lines and lines that start with `#` are skipped. Ordinary qrels are read as
preferences too (`-R qrels_prefs`): their second column is the group.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from annotation.formats.columns import Layout, read_blocks, read_carefully
from annotation.formats.fields import shown
from annotation.formats.lines import DEFAULT_LIMITS, Limits
from annotation.formats.problems import Problems
from evaluation.engine.arrays import Floats
from evaluation.engine.preferences.preferences import contradictory
from evaluation.formats.diversity_qrels import parse_diversity_qrels

LAYOUT = Layout(
    names=("topic", "group", "subgroup", "docno", "level"),
    keep={0: "id", 1: "id", 2: "id", 3: "id", 4: "score"},
    comments=True,
)


@dataclass(frozen=True, eq=False)
class PreferenceTable:
    """Rows in file order, the five columns aligned; levels are at least 0, and no group contradicts itself."""

    number: list[str]
    group: list[str]
    subgroup: list[str]
    docno: list[str]
    level: Floats  # (n_rows,)

    def __len__(self) -> int:
        return len(self.number)


def parse_preferences(stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS) -> PreferenceTable:
    """Read preferences; raises `FormatError` with every fault found (file, line, reason), and for a file without a row.

    A document twice in a subgroup is a fault, and so is one that is level 0 in one subgroup of a group and above it in
    another. A group that contradicts itself is reported once, at the first line that takes part in it.
    """
    numbers, groups, subgroups, docnos = list[str](), list[str](), list[str](), list[str]()
    levels, lines = array("d"), array("q")
    first = dict[tuple[str, str, str, str], int]()
    sign: dict[tuple[str, str, str], tuple[bool, int]] = {}
    for block in read_blocks(stream, problems, limits=limits):
        for line, fields in read_carefully(block, LAYOUT, problems):
            fault = _fault(fields, line, first, sign)
            if fault:
                problems.add(line, fault)
            numbers.append(fields[0])
            groups.append(fields[1])
            subgroups.append(fields[2])
            docnos.append(fields[3])
            levels.append(float(fields[4]))
            lines.append(line)
    if not numbers and not problems:
        problems.add(0, "no preference in the file")
    problems.check()
    table = PreferenceTable(numbers, groups, subgroups, docnos, np.array(levels, np.float64))
    _refuse_contradictions(table, lines, problems)
    return table


def parse_qrels_as_preferences(
    stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS
) -> PreferenceTable:
    """Read qrels so that a document of a higher grade is preferred to one of a lower, within each second column.

    A docno may stand once for each second column. A negative grade is no judgment, so it says no preference: such rows
    are left aside, and a note says how many (trec_eval puts them below the non-relevant ones).
    """
    table = parse_diversity_qrels(stream, problems, limits, by="group")
    kept = np.flatnonzero(table.grade >= 0).tolist()
    if len(kept) < len(table):
        problems.note(0, f"{len(table) - len(kept)} rows of a negative grade are not judged and say no preference")
    if not kept:
        raise problems.stop(0, "no preference in the file: every grade is negative")
    number, group, docno = ([column[i] for i in kept] for column in (table.number, table.subtopic, table.docno))
    return PreferenceTable(number, group, ["0"] * len(kept), docno, table.grade[kept].astype(np.float64))


def _fault(
    fields: list[str],
    line: int,
    first: dict[tuple[str, str, str, str], int],
    sign: dict[tuple[str, str, str], tuple[bool, int]],
) -> str | None:
    """What is wrong with a line by itself, or next to the lines before it."""
    number, group, subgroup, docno, level = fields
    before = first.setdefault((number, group, subgroup, docno), line)
    what = f"document {shown(docno)} of topic {shown(number)}"
    if before != line:
        return f"{what} is already in group {shown(group)}, subgroup {shown(subgroup)}, in line {before}"
    if float(level) < 0:
        return f"the level {shown(level)} is below 0"
    is_relevant, other = sign.setdefault((number, group, docno), (float(level) > 0, line))
    if is_relevant != (float(level) > 0):
        return f"{what} is of level 0 here or in line {other} of the same group, but not in both"
    return None


def _refuse_contradictions(table: PreferenceTable, lines: Sequence[int], problems: Problems) -> None:
    reported = set[tuple[str, str]]()
    for row in contradictory(table.number, table.group, table.subgroup, table.docno, table.level):
        number, group = table.number[row], table.group[row]
        if (number, group) not in reported:
            reported.add((number, group))
            what = f"group {shown(group)} of topic {shown(number)} contradicts itself"
            problems.add(lines[row], f"{what}: document {shown(table.docno[row])} is preferred to itself")
    problems.check()
