"""Qrels in memory, and what all their formats share: parts of a file put together, repeated pairs refused."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from annotation.formats.coding import Codes, coded, repeats
from annotation.formats.fields import shown
from annotation.formats.grade_map import CANNOT_JUDGE, NO_MAP, GradeMap
from annotation.formats.problems import Problems
from annotation.formats.text import Ints, Text

PART = 1 << 16  # rows kept as objects before they are packed


@dataclass(frozen=True, eq=False)
class QrelsTable:
    """Judged pairs in file order; topic, text, grade and line are aligned, (n_pairs,), and no pair occurs twice.

    `numbers` are the topic numbers in byte order; `topic` indexes them, and `text` holds the docnos. `line` is where
    each pair stands in its file.
    """

    numbers: tuple[str, ...]
    topic: Codes = field(repr=False)
    text: Text = field(repr=False)
    grade: Ints = field(repr=False)
    line: Ints = field(repr=False)

    def __len__(self) -> int:
        return self.grade.size

    @cached_property
    def number(self) -> list[str]:
        """The topic number of each pair."""
        return [self.numbers[t] for t in self.topic.tolist()]

    @cached_property
    def docno(self) -> list[str]:
        return list(self.text)

    def in_order(self) -> Ints:
        """The rows by topic number, then docno, both as UTF-8 bytes."""
        rows = np.arange(len(self))
        words = [self.text.words(rows, j) for j in reversed(range(self.text.most_words))]
        return np.lexsort([*words, self.topic.astype(np.uint64)])

    def first(self, n: int) -> list[tuple[str, str, int]]:
        """As `rows`, the first `n`."""
        docno = self.text.take(np.arange(min(n, len(self))))
        return [(self.numbers[t], d, int(g)) for t, d, g in zip(self.topic[:n], docno, self.grade[:n], strict=True)]

    def rows(self) -> Iterator[tuple[str, str, int]]:
        """`(number, docno, grade)` of each pair."""
        return zip(self.number, self.docno, self.grade.tolist(), strict=True)


@dataclass(frozen=True, eq=False)
class Part:
    """Some of the pairs of a file, in its order."""

    number: Text
    docno: Text
    grade: Ints
    line: Ints


class Parts:
    """Pairs met one by one, packed as soon as there are many."""

    def __init__(self) -> None:
        self._parts = list[Part]()
        self._begin()

    def _begin(self) -> None:
        self._number, self._docno, self._grade, self._line = list[str](), list[str](), array("q"), array("q")

    def add(self, number: str, docno: str, grade: int, line: int) -> None:
        self._number.append(number)
        self._docno.append(docno)
        self._grade.append(grade)
        self._line.append(line)
        if len(self._number) == PART:
            self._pack()

    def _pack(self) -> None:
        grade, line = np.array(self._grade, np.int64), np.array(self._line, np.int64)
        self._parts.append(Part(Text.of(self._number), Text.of(self._docno), grade, line))
        self._begin()

    def packed(self) -> list[Part]:
        self._pack()
        return self._parts


def table_of(parts: Sequence[Part], problems: Problems, grades: GradeMap = NO_MAP) -> QrelsTable:
    """Raises `FormatError` with what `problems` holds and for a pair that occurs twice; and if there is no pair.

    The parts may lie between each other: rows are put in the order of their lines. Their grades are codes of the map.
    """
    part = _mapped(_joined(parts), grades, problems)
    numbers, topic = coded(part.number)
    text, line = part.docno, part.line
    for earlier, row in repeats(topic, text):
        where = f"for topic {shown(numbers[topic[row]])} in line {line[earlier]}"
        problems.add_repeat(int(line[row]), f"document {shown(text[row])} is already judged {where}")
    if not numbers and not problems:
        problems.add(0, "no judged pair in the file")
    problems.check()
    return QrelsTable(numbers, topic, text, part.grade, line)


def _mapped(part: Part, grades: GradeMap, problems: Problems) -> Part:
    """Grades as the map says; what nobody can judge by it is left aside."""
    if not grades.worth:
        return part
    codes, index = np.unique(part.grade, return_inverse=True)
    grade = np.array([grades.worth_of(code) for code in codes.tolist()], np.int64)[index]
    rows = np.flatnonzero(grade != CANNOT_JUDGE) if CANNOT_JUDGE in grades.worth.values() else np.arange(grade.size)
    if n_aside := grade.size - rows.size:
        problems.note(0, f"pairs that nobody can judge, as the map says, left aside: {n_aside}")
        return Part(part.number.take(rows), part.docno.take(rows), grade[rows], part.line[rows])
    return Part(part.number, part.docno, grade, part.line)


def _joined(parts: Sequence[Part]) -> Part:
    number, docno = Text.concat([part.number for part in parts]), Text.concat([part.docno for part in parts])
    grade = np.concatenate([part.grade for part in parts] or [np.zeros(0, np.int64)])
    line = np.concatenate([part.line for part in parts] or [np.zeros(0, np.int64)])
    if (line[1:] >= line[:-1]).all():
        return Part(number, docno, grade, line)
    order = np.argsort(line, kind="stable")
    return Part(number.take(order), docno.take(order), grade[order], line[order])
