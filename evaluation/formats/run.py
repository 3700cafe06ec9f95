"""TREC runs: `topic iteration docno rank score tag`, one retrieved document a line.

Fields are separated by any ASCII white space, further fields are ignored; plain or gzip; LF or CR LF; lines in any
order, topics interleaved. Blank lines and lines that start with `#` are skipped. The iteration and the rank are
ignored: the order is that of the scores. Scores are finite decimal numbers, with or without an exponent.

A file holds one run: a second tag is a fault (trec_eval ignores it, and would evaluate two runs as one). So is a
document that occurs twice in a topic.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from annotation.formats.ahead import worked_ahead
from annotation.formats.coding import coded
from annotation.formats.columns import Block, Layout, read_blocks, read_carefully, read_fast, read_nothing
from annotation.formats.fields import shown
from annotation.formats.forms import Form
from annotation.formats.heads import is_json, usual_fields
from annotation.formats.lines import DEFAULT_LIMITS, Limits
from annotation.formats.problems import Problems
from annotation.formats.text import Text
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.run import RunPart, RunTable

LAYOUT = Layout(
    names=("topic", "iteration", "docno", "rank", "score", "tag"),
    keep={0: "id", 2: "id", 4: "score", 5: "id"},
    extra=True,
    comments=True,
)


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows of a block. Rows of one topic that stand together share one `number`."""

    number: Text
    length: Ints  # of each such group, in rows
    docno: Text
    score: Floats
    line: NDArray[np.int32] | int  # of each row in the file; of the first row, where no line is left out
    tag: str

    def lines(self) -> Ints:
        return self.line + np.arange(self.score.size) if isinstance(self.line, int) else self.line.astype(np.int64)


@dataclass
class _Tag:
    """The tag of the file, and where it was met first."""

    tag: str = ""
    line: int = 0

    def meet(self, tag: str, line: int, problems: Problems) -> None:
        if not self.line:
            self.tag, self.line = tag, line
        elif tag != self.tag:
            first = f"{shown(self.tag)} in line {self.line}"
            problems.add(line, f"the tag is {shown(tag)}, but {first}: a file holds one run")


def parse_run(
    stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS, *, carefully: bool = False
) -> RunTable:
    """Read a run; raises `FormatError` with every fault found (file, line, reason), and for a file without a row.

    Rows keep the order of the file. Ten million rows take a second or two and well under 1 GB. `carefully`: line by
    line from the start, with the same outcome many times slower.
    """
    parts, tag = list[_Rows](), _Tag()
    read = read_nothing if carefully else _read_fast
    for block, found in worked_ahead(read, read_blocks(stream, problems, limits=limits)):
        if found and found.tag == (tag.tag or found.tag):
            tag.meet(found.tag, int(found.lines()[0]), problems)
            parts.append(found)
        else:
            parts.append(_read_carefully(block, tag, problems))
    if not tag.line and not problems:
        problems.add(0, "no row in the file")
    problems.check()
    table = _table(parts, tag.tag)
    _refuse_repeats(table, parts, problems)
    return table


def _read_fast(block: Block) -> _Rows | None:
    """None where the careful reading has to do it."""
    tokens = read_fast(block, LAYOUT)
    if tokens is None:
        return None
    number, docno, score, tag = tokens.ids(0), tokens.ids(2), tokens.scores(4), tokens.ids(5)
    if number is None or docno is None or score is None or tag is None or tag.begins().size > 1:
        return None
    begins = number.begins()
    length = np.diff(begins, append=score.size)
    line = block.line if tokens.line is None else (block.line + tokens.line).astype(np.int32)
    return _Rows(number.take(begins), length, docno, score, line, tag[0])


def _read_carefully(block: Block, tag: _Tag, problems: Problems) -> _Rows:
    number, docno, score, lines = list[str](), list[str](), array("d"), array("i")
    for line, fields in read_carefully(block, LAYOUT, problems):
        number.append(fields[0])
        docno.append(fields[2])
        score.append(float(fields[4]))
        lines.append(line)
        tag.meet(fields[5], line, problems)
    ones = np.ones(len(number), np.int64)
    return _Rows(Text.of(number), ones, Text.of(docno), np.array(score), np.array(lines, np.int32), tag.tag)


def _table(parts: Sequence[_Rows], tag: str) -> RunTable:
    numbers, group = coded(Text.concat([part.number for part in parts]))
    of_part = np.split(group, np.cumsum([len(part.number) for part in parts])[:-1])
    made = (RunPart(of, part.length, part.docno, part.score) for of, part in zip(of_part, parts, strict=True))
    return RunTable(tag, numbers, tuple(made))


def _refuse_repeats(table: RunTable, parts: Sequence[_Rows], problems: Problems) -> None:
    repeats = table.repeats()
    if repeats:
        line = np.concatenate([part.lines() for part in parts])
        for earlier, row in repeats:
            where = f"for topic {shown(table.numbers[table.topic[row]])} in line {line[earlier]}"
            problems.add(int(line[row]), f"document {shown(table.docno[row])} is already retrieved {where}")
    problems.check()


FORMS: tuple[Form[RunTable], ...] = (
    Form(
        "trec",
        "TREC run",
        lambda head: not is_json(head) and usual_fields(head) >= len(LAYOUT.names),
        lambda stream, problems, columns: parse_run(stream, problems),
        lambda head: [("1st", "number"), ("2nd", ""), ("3rd", "docno"), ("4th", ""), ("5th", "score"), ("6th", "tag")],
    ),
)
