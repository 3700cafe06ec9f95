"""What all forms of a run share: rows as they are met, one tag a file, no document twice in a topic."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.formats.coding import coded
from annotation.formats.fields import shown
from annotation.formats.problems import Problems
from annotation.formats.text import Text
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.run import RunPart, RunTable

PART = 1 << 16  # rows kept as objects before they are packed


@dataclass(frozen=True, eq=False)
class Rows:
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
class Tag:
    """The tag of the file, and where it was met first."""

    tag: str = ""
    line: int = 0

    def meet(self, tag: str, line: int, problems: Problems) -> None:
        if not self.line:
            self.tag, self.line = tag, line
        elif tag != self.tag:
            first = f"{shown(self.tag)} in line {self.line}"
            problems.add(line, f"the tag is {shown(tag)}, but {first}: a file holds one run")


class Parts:
    """Rows met one by one, packed as soon as there are many."""

    def __init__(self) -> None:
        self._parts = list[Rows]()
        self._begin()

    def _begin(self) -> None:
        self._number, self._docno, self._score, self._line = list[str](), list[str](), array("d"), array("i")

    def add(self, number: str, docno: str, score: float, line: int) -> None:
        self._number.append(number)
        self._docno.append(docno)
        self._score.append(score)
        self._line.append(line)
        if len(self._number) == PART:
            self._pack()

    def _pack(self) -> None:
        ones, line = np.ones(len(self._number), np.int64), np.array(self._line, np.int32)
        docno, score = Text.of(self._docno), np.array(self._score, np.float64)
        self._parts.append(Rows(Text.of(self._number), ones, docno, score, line, ""))
        self._begin()

    def packed(self) -> list[Rows]:
        self._pack()
        return self._parts


def table_of(parts: Sequence[Rows], tag: str, problems: Problems) -> RunTable:
    """Raises `FormatError` with what `problems` holds, and for a document that occurs twice in a topic."""
    problems.check()
    numbers, group = coded(Text.concat([part.number for part in parts]))
    of_part = np.split(group, np.cumsum([len(part.number) for part in parts])[:-1])
    run_parts = (RunPart(of, part.length, part.docno, part.score) for of, part in zip(of_part, parts, strict=True))
    table = RunTable(tag, numbers, tuple(run_parts))
    _refuse_repeats(table, parts, problems)
    return table


def _refuse_repeats(table: RunTable, parts: Sequence[Rows], problems: Problems) -> None:
    repeats = table.repeats()
    if repeats:
        line = np.concatenate([part.lines() for part in parts])
        for earlier, row in repeats:
            where = f"for topic {shown(table.numbers[table.topic[row]])} in line {line[earlier]}"
            problems.add_repeat(int(line[row]), f"document {shown(table.docno[row])} is already retrieved {where}")
    problems.check()
