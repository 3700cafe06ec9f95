"""Judged pairs as the scorer reads them: sorted once, for any number of runs."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.formats.coding import Codes, coded, repeats
from annotation.formats.qrels import QrelsTable
from annotation.formats.text import Text
from evaluation.engine.arrays import (
    Bools,
    Floats,
    Ints,
    Words,
    by_topic,
    segment_sums,
    sort_within,
    starts,
    topic_of_row,
)

MOST_GRADE = 999_999_999  # either side of 0, as the readers of qrels have it


class RowError(ValueError):
    """What is wrong with a row of columns that a program gave; rows count from 0."""

    def __init__(self, row: int, reason: str) -> None:
        self.row, self.reason = row, reason
        super().__init__(f"row {row}: {reason}")


@dataclass(frozen=True, eq=False)
class Qrels:
    """Judged pairs, topic after topic (numbers in byte order), within a topic by the key of the docno."""

    numbers: tuple[str, ...]
    start: Ints = field(repr=False)  # (n_topics + 1,)
    topic: Ints = field(repr=False)  # (n_pairs,) indexes `numbers`
    docno: Text = field(repr=False)  # n_pairs strings
    key: Words = field(repr=False)  # (n_pairs,)
    grade: Ints = field(repr=False)  # (n_pairs,) negative: pooled but not judged

    @classmethod
    def of(cls, number: Sequence[str], docno: Sequence[str], grade: NDArray[np.integer] | Sequence[int]) -> "Qrels":
        """From aligned columns in any order. A grade is a whole number, `1.0` too.

        Raises `ValueError` for no pairs, for columns that differ in length, for a grade such as 0.7 and for a pair
        that occurs twice: what the readers of files refuse as well.
        """
        if not len(number) == len(docno) == len(grade):
            raise ValueError(f"columns of {len(number)}, {len(docno)} and {len(grade)} rows")
        numbers, topic = coded(Text.of(number))
        text, grades = Text.of(docno), whole_grades(grade)
        refuse_repeats(numbers, topic, text)
        return cls._sorted(numbers, topic, text, grades)

    @classmethod
    def of_table(cls, table: QrelsTable) -> "Qrels":
        """From qrels as they were read. Raises `ValueError` for no pairs."""
        return cls._sorted(table.numbers, table.topic, table.text, table.grade)

    @classmethod
    def _sorted(cls, numbers: tuple[str, ...], topic: Codes, text: Text, grade: Ints) -> "Qrels":
        if not numbers:
            raise ValueError("no judged pair: there is nothing to evaluate against")
        grouped = by_topic(topic, len(numbers))
        order = np.arange(topic.size) if grouped is None else grouped
        start = starts(topic, len(numbers))
        key = text.key()[order]
        within = sort_within(start, key)
        order = order[within]
        return cls(numbers, start, topic_of_row(start), text.take(order), key[within], grade[order])

    def only(self, chosen: Bools) -> "Qrels":
        """The pairs chosen, (n_pairs,); the topics stay, also one that is left without a pair."""
        at = np.flatnonzero(chosen)
        topic = self.topic[at]
        return Qrels(
            self.numbers, starts(topic, self.n_topics), topic, self.docno.take(at), self.key[at], self.grade[at]
        )

    @property
    def n_topics(self) -> int:
        return len(self.numbers)

    def named_pairs(self) -> list[tuple[str, str]]:
        """The topic number and docno of each pair. (n_pairs,)"""
        return [(self.numbers[t], docno) for t, docno in zip(self.topic.tolist(), self.docno, strict=True)]

    def grade_by_pair(self) -> dict[tuple[str, str], int]:
        return dict(zip(self.named_pairs(), self.grade.tolist(), strict=True))

    @cached_property
    def ideal(self) -> Ints:
        """The rows by descending grade within each topic."""
        return sort_within(self.start, -self.grade)

    @cached_property
    def ideal_grade(self) -> Ints:
        """The grades in that order. (n_pairs,)"""
        return self.grade[self.ideal]

    def lacks_nonrelevant(self, rel: int = 1) -> Bools:
        """Whether the topic has documents of a grade ≥ `rel` and none that was judged below it. (n_topics,)"""
        n_relevant = self._n_from(rel)
        lacking: Bools = (n_relevant > 0) & (n_relevant == self._n_from(0))
        return lacking

    @cached_property
    def _counts(self) -> dict[int, Floats]:
        return {}

    @cached_property
    def has_relevant(self) -> Bools:
        """Whether the topic has a document of grade ≥ 1. (n_topics,)"""
        return self._n_from(1) > 0

    def _n_from(self, grade: int) -> Floats:
        """How many documents each topic has of a grade so high or higher. (n_topics,)"""
        if grade not in self._counts:
            self._counts[grade] = segment_sums(self.grade >= grade, self.topic, self.n_topics)
        return self._counts[grade]


def refuse_repeats(numbers: Sequence[str], topic: Codes, docno: Text) -> None:
    """Raise `RowError` for the first pair that occurs twice; `topic`, (n_pairs,), indexes `numbers`."""
    for earlier, row in repeats(topic, docno):
        where = f"for topic {numbers[topic[row]]!r} in row {earlier}"
        raise RowError(row, f"document {docno[row]!r} is already judged {where}")


def whole_grades(grade: NDArray[np.generic] | Sequence[object]) -> Ints:
    """Grades as they were given, (n,). Raises `RowError` for one that is no whole number or lies beyond a billion."""
    grades: NDArray[Any] = _whole(grade) if isinstance(grade, list) else np.asarray(grade)
    if grades.ndim != 1:
        raise ValueError(f"grades come as (n_pairs,), not in the shape {grades.shape}")
    if grades.dtype.kind not in "biuf":
        return whole_grades(np.array([_number(row, one) for row, one in enumerate(grade)], np.float64))
    possible = (grades == np.trunc(grades)) & (grades >= -MOST_GRADE) & (grades <= MOST_GRADE)
    wrong = np.flatnonzero(~possible)
    if wrong.size:
        raise _no_grade(int(wrong[0]), grades[wrong[0]].item())
    return grades.astype(np.int64)


def _whole(grade: list[Any]) -> NDArray[Any]:
    """In half the time where all are whole numbers, as `numpy.asarray` else."""
    try:
        return np.frombuffer(array("q", grade), np.int64)
    except (TypeError, OverflowError):
        return np.asarray(grade)


def _number(row: int, grade: object) -> float:
    if isinstance(grade, int | float | np.integer | np.floating):
        return float(grade)
    raise _no_grade(row, grade)


def _no_grade(row: int, grade: object) -> RowError:
    return RowError(row, f"the grade {grade!r} is not a whole number of at most nine digits")
