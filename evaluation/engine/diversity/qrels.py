"""Judgments by subtopic: a document may be judged for several intents of a topic, with a grade for each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Floats, Ints, segment_sums, starts
from evaluation.engine.qrels import Qrels, whole_grades


@dataclass(frozen=True, eq=False)
class DiversityQrels:
    """Judged triples of topic, subtopic and document. Intents lie topic after topic, subtopics in byte order.

    Rows are the judged triples, document after document. A triple of negative grade is no row: it was pooled, but not
    judged; its document and its subtopic are there all the same.
    """

    documents: Qrels  # every pair of topic and document once, with its highest grade
    subtopics: tuple[str, ...]  # (n_intents,)
    intent_topic: Ints = field(repr=False)  # (n_intents,)
    weight: Floats = field(repr=False)  # (n_intents,) 1, or the probability of the intent
    document: Ints = field(repr=False)  # (n_rows,) indexes the rows of `documents`, ascending
    intent: Ints = field(repr=False)  # (n_rows,)
    grade: Ints = field(repr=False)  # (n_rows,) ≥ 0
    cache: dict[object, Ints] = field(default_factory=dict, repr=False)  # ideal rankings, see `ideal.py`

    @classmethod
    def of(
        cls,
        number: Sequence[str],
        subtopic: Sequence[str],
        docno: Sequence[str],
        grade: NDArray[np.integer] | Sequence[int],
        *,
        probability: Mapping[tuple[str, str], float] | None = None,
    ) -> "DiversityQrels":
        """From aligned columns in any order.

        `probability` gives P(subtopic | topic) by (number, subtopic) for every intent; it need not sum to 1. None: all
        intents of a topic are alike. Raises `ValueError` for no rows, for columns that differ in length, and for
        probabilities that are missing or no positive numbers.
        """
        if not len(number) == len(subtopic) == len(docno) == len(grade):
            raise ValueError(f"columns of {len(number)}, {len(subtopic)}, {len(docno)} and {len(grade)} rows")
        if not len(number):
            raise ValueError("no judged document: there is nothing to evaluate against")
        grades = whole_grades(grade)
        intents, intent = codes_of(number, subtopic)
        documents, document = highest(number, docno, grades)
        for row in _second(document * len(intents) + intent)[:1].tolist():
            where = f"for subtopic {subtopic[row]!r} of topic {number[row]!r}"
            raise ValueError(f"row {row}: document {docno[row]!r} is already judged {where}")
        numbers = {n: t for t, n in enumerate(documents.numbers)}
        judged = np.flatnonzero(grades >= 0)
        judged = judged[np.lexsort((intent[judged], document[judged]))]
        return cls(
            documents=documents,
            subtopics=tuple(name for _, name in intents),
            intent_topic=np.fromiter((numbers[n] for n, _ in intents), np.int64, len(intents)),
            weight=_weights(intents, probability),
            document=document[judged],
            intent=intent[judged],
            grade=grades[judged],
        )

    @property
    def n_intents(self) -> int:
        return len(self.subtopics)

    @cached_property
    def start(self) -> Ints:
        """The first row of each document. (n_documents + 1,)"""
        return starts(self.document, self.documents.topic.size)

    @cached_property
    def coded(self) -> Qrels:
        """`documents`, each with its own index in place of a grade; below 0 where no subtopic has a judgment of it."""
        index = np.arange(self.documents.topic.size)
        return replace(self.documents, grade=np.where(self.documents.grade >= 0, index, -1 - index))

    def gain(self, row_gain: Floats) -> Floats:
        """Sum over intents of weight × gain, for each document. (n_documents,)"""
        return segment_sums(self.weight[self.intent] * row_gain, self.document, self.documents.topic.size)

    def by_grade(self, of: Callable[[int], float]) -> Floats:
        """`of(grade)` of each row. (n_rows,)"""
        grades, at = np.unique(self.grade, return_inverse=True)
        return np.array([of(grade) for grade in grades.tolist()], np.float64)[at]


def codes_of(*columns: Sequence[str]) -> tuple[list[tuple[str, ...]], Ints]:
    """The distinct rows of aligned columns in byte order, and the index of each row among them."""
    key = np.zeros(len(columns[0]), np.int64)
    every = list[list[str]]()
    for column in columns:
        names = sorted(set(column), key=str.encode)
        code = {name: i for i, name in enumerate(names)}
        key = key * len(names) + np.fromiter(map(code.__getitem__, column), np.int64, len(column))
        every.append(names)
    distinct, index = np.unique(key, return_inverse=True)
    parts = list[list[str]]()
    for names in reversed(every):
        distinct, part = np.divmod(distinct, len(names))
        parts.insert(0, [names[i] for i in part.tolist()])
    return list(zip(*parts, strict=True)), index


def highest(number: Sequence[str], docno: Sequence[str], grade: Ints) -> tuple[Qrels, Ints]:
    """`(documents, document)`: every pair of topic and document once, with its highest grade; the index of each row."""
    pairs, pair = codes_of(number, docno)
    documents = Qrels.of([n for n, _ in pairs], [d for _, d in pairs], np.arange(len(pairs)))
    order = documents.grade
    ordinal = np.empty_like(order)
    ordinal[order] = np.arange(order.size)
    best = np.full(order.size, grade.min(), np.int64)
    np.maximum.at(best, ordinal[pair], grade)
    return replace(documents, grade=best), ordinal[pair]


def _second(key: Ints) -> Ints:
    """The rows, ascending, whose key occurred before."""
    order = np.argsort(key, kind="stable")
    return np.sort(order[1:][key[order[1:]] == key[order[:-1]]])


def _weights(intents: list[tuple[str, ...]], probability: Mapping[tuple[str, str], float] | None) -> Floats:
    if probability is None:
        return np.ones(len(intents))
    missing = [f"{number} {subtopic}" for number, subtopic in intents if (number, subtopic) not in probability]
    if missing:
        raise ValueError(f"no probability for the intents {', '.join(missing[:5])}")
    weight = np.array([probability[number, subtopic] for number, subtopic in intents], np.float64)
    if not (np.isfinite(weight) & (weight > 0)).all():
        raise ValueError("the probability of an intent is a number above 0")
    return weight
