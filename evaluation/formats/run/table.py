"""What all forms of a run share: rows as they are met, one tag a file, no document twice in a topic.

The rows of a file come in blocks. Their docnos and scores go into one growing column each as they come: a block's own
memory is then free for the next one, which is faster than asking the system for more.
"""

from array import array
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.formats.coding import coded
from annotation.formats.fields import shown
from annotation.formats.problems import Problems
from annotation.formats.text import Text
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.run import RunTable

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
        return _lines(self.line, self.score.size)

    @property
    def first_line(self) -> int:
        return self.line if isinstance(self.line, int) else int(self.line[0])


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


class Gathered:
    """The rows of all blocks so far."""

    def __init__(self) -> None:
        self.number, self.length, self.line = list[Text](), list[Ints](), list[tuple[NDArray[np.int32] | int, int]]()
        self._score, self._word, self._count = bytearray(), bytearray(), 0
        self._docno = list[Text]()  # once they differ in their number of words

    def add(self, rows: Rows) -> None:
        if not rows.score.size:
            return
        self.number.append(rows.number)
        self.length.append(rows.length)
        self.line.append((rows.line, rows.score.size))
        self._score += rows.score.data.cast("B")
        count = rows.docno.count
        if count and not self._docno and count == (self._count or count):
            self._count = count
            self._word += rows.docno.word.data.cast("B")
        else:
            self._docno = [*(self._docno or self._docnos()), rows.docno]

    def _docnos(self) -> list[Text]:
        if not self._word:
            return []
        return [Text(np.frombuffer(self._word, np.uint64), self._count, np.zeros(0, np.int64))]

    @property
    def docno(self) -> Text:
        return Text.concat(self._docno) if self._docno else next(iter(self._docnos()), Text.of([]))

    @property
    def score(self) -> Floats:
        return np.frombuffer(self._score, np.float64)

    def lines(self) -> Ints:
        """Of each row in the file."""
        return np.concatenate([_lines(*each) for each in self.line])


def _lines(line: NDArray[np.int32] | int, n: int) -> Ints:
    return line + np.arange(n) if isinstance(line, int) else line.astype(np.int64)


class OneByOne(Gathered):
    """Rows met one by one, packed as soon as there are many."""

    def __init__(self) -> None:
        super().__init__()
        self._begin()

    def _begin(self) -> None:
        self._numbers, self._docnos_met, self._scores, self._lines = list[str](), list[str](), array("d"), array("i")

    def meet(self, number: str, docno: str, score: float, line: int) -> None:
        self._numbers.append(number)
        self._docnos_met.append(docno)
        self._scores.append(score)
        self._lines.append(line)
        if len(self._numbers) == PART:
            self.pack()

    def pack(self) -> "OneByOne":
        ones, line = np.ones(len(self._numbers), np.int64), np.array(self._lines, np.int32)
        docno, score = Text.of(self._docnos_met), np.array(self._scores, np.float64)
        self.add(Rows(Text.of(self._numbers), ones, docno, score, line, ""))
        self._begin()
        return self


def table_of(rows: Gathered, tag: str, problems: Problems) -> RunTable:
    """Raises `FormatError` with what `problems` holds, and for a document that occurs twice in a topic."""
    problems.check()
    numbers, group = coded(Text.concat(rows.number))
    table = RunTable(tag, numbers, group, np.concatenate(rows.length), rows.docno, rows.score)
    _refuse_repeats(table, rows, problems)
    return table


def _refuse_repeats(table: RunTable, rows: Gathered, problems: Problems) -> None:
    repeats = table.repeats()
    if repeats:
        line = rows.lines()
        for earlier, row in repeats:
            where = f"for topic {shown(table.numbers[table.topic[row]])} in line {line[earlier]}"
            problems.add_repeat(int(line[row]), f"document {shown(table.docno[row])} is already retrieved {where}")
    problems.check()
