"""Rows that a program holds, as the scorer reads them: ids and numbers checked, each fault with its query and document.

Rows come group by group, a group being rows of one query that stand together: a mapping has one
group a query, tuples and frames one a row. Documents and values come in chunks, those of a mapping
a query: what is looked at several times is then still in the cache.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from annotation.formats.coding import coded
from annotation.formats.qrels import QrelsTable
from annotation.formats.text import Text
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.qrels import Qrels, RowError, refuse_repeats, whole_grades
from evaluation.engine.run import PackedRun, RunPart, RunTable

CHUNK = 64  # rows: below some thirty a query, starting numpy for each would cost more
Chunks = Sequence[Collection[Any]]


@dataclass(frozen=True, eq=False)
class MemoryTable:
    """`title` is what errors call it. `length` is how many rows each of the groups has, (n_groups,)."""

    title: str
    query: Collection[Any]  # n_groups
    length: Ints
    document: Chunks  # n_rows in all
    value: Chunks  # n_rows in all: grades or scores
    in_rows: bool  # whether a row has a number that its reader knows

    @classmethod
    def of_mapping(cls, title: str, rows: Mapping[Any, Any]) -> "MemoryTable":
        """From a mapping of query to a mapping of document to value. Queries without a document are left aside."""
        for query, documents in rows.items():
            if not isinstance(documents, Mapping):
                forms = f"documents come as a mapping of document to number, not as {_kind(documents)}"
                raise TypeError(f"{title}, query {query!r}: {forms}")
        filled = {query: documents for query, documents in rows.items() if documents}
        length = np.fromiter(map(len, filled.values()), np.int64, len(filled))
        values = [documents.values() for documents in filled.values()]
        return cls(title, filled, length, _chunks(list(filled.values())), _chunks(values), in_rows=False)

    @classmethod
    def of_columns(
        cls, title: str, query: Iterable[Any], document: Iterable[Any], value: Iterable[Any]
    ) -> "MemoryTable":
        """From three columns of one length."""
        queries = list(query)
        return cls(title, queries, np.ones(len(queries), np.int64), [list(document)], [list(value)], in_rows=True)

    @classmethod
    def of_rows(cls, title: str, rows: Iterable[Any], what: str) -> "MemoryTable":
        """From rows of query, document and value; `what` is what the last is called."""
        several = list(rows)
        for row, one in enumerate(several):
            if not isinstance(one, tuple | list):
                raise TypeError(f"{title}, row {row}: a row is (query, document, {what}), not {_kind(one)}")
            if len(one) != 3 and not _is_named(one):
                has = f"this one has {len(one)} values"
                raise ValueError(f"{title}, row {row}: a row is (query, document, {what}), and {has}")
        return cls.of_columns(title, *([one[at] for one in several] for at in range(3)))

    def qrels(self) -> Qrels:
        """Raises `ValueError` for no rows, an id or a grade of no sense, and a pair that occurs twice."""
        query, docno = self._texts("judged pair")
        numbers, group = coded(query)
        topic = np.repeat(group, self.length)
        try:
            grade = whole_grades(list(chain.from_iterable(self.value)))
            if self.in_rows:
                refuse_repeats(numbers, topic, docno)
        except RowError as fault:
            raise self._refused(fault.row, fault.reason) from fault
        return Qrels.of_table(QrelsTable(numbers, topic, docno, grade, np.zeros(0, np.int64)))

    def run(self, tag: str) -> PackedRun:
        """Raises `ValueError` for no rows, an id or a score of no sense, and a document that occurs twice."""
        query, docno = self._texts("row")
        numbers, group = coded(query)
        table = RunTable(tag, numbers, (RunPart(group, self.length, docno, self._scores()),))
        for earlier, row in table.repeats() if self.in_rows else ():
            raise self._refused(row, f"the document is retrieved for this query in row {earlier} already")
        return table.packed

    def _texts(self, what: str) -> tuple[Text, Text]:
        """The queries of the groups and the documents of the rows."""
        if not self.length.sum():
            raise ValueError(f"{self.title}: no {what}")
        query, document = _words([self.query]), _words(self.document)
        if query is None:
            group, reason = _first_fault(self.query)
            raise self._refused(int(self.length[:group].sum()), f"the query {reason}")
        if document is None:
            row, reason = _first_fault(chain.from_iterable(self.document))
            raise self._refused(row, f"the document {reason}")
        return query, document

    def _scores(self) -> Floats:
        try:
            score = np.concatenate([_numbers(values) for values in self.value])
        except (TypeError, ValueError, OverflowError):
            score = None
        if score is not None and np.isfinite(score).all():
            return score
        for row, value in enumerate(chain.from_iterable(self.value)):
            if not _is_finite(value):
                raise self._refused(row, f"the score {value!r} is not a finite number")
        raise AssertionError("every score is a number")

    def _refused(self, row: int, reason: str) -> ValueError:
        group = int(np.searchsorted(np.cumsum(self.length), row, side="right"))
        query, document = list(self.query)[group], list(chain.from_iterable(self.document))[row]
        where = f"query {query!r}, document {document!r}"
        return ValueError(f"{self.title}, {f'row {row} ({where})' if self.in_rows else where}: {reason}")


def _is_finite(value: Any) -> bool:
    """Whether it is a number that float64 can hold."""
    if not isinstance(value, int | float | np.integer | np.floating):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _chunks(parts: Chunks) -> Chunks:
    """The same with several short parts in one, so that each chunk has some `CHUNK` rows or more."""
    together = CHUNK * len(parts) // max(1, sum(map(len, parts)))
    if together < 2:
        return parts
    return [list(chain.from_iterable(parts[a : a + together])) for a in range(0, len(parts), together)]


def _numbers(values: Collection[Any]) -> Floats:
    """As float64. Raises `TypeError` for text, which numpy would read as a number: text cannot be added up."""
    sum(values)
    return np.fromiter(values, np.float64, len(values))


def _words(parts: Chunks) -> Text | None:
    """Ids as text, whole numbers as they are written; None where one is neither, empty or holds a NUL."""
    try:
        text = _text_of(parts)
    except ValueError:
        return None
    has_empty = text is not None and not text.count and bool((np.diff(text.begin) == 0).any())
    return None if has_empty else text


def _text_of(parts: Chunks) -> Text | None:
    """Raises `ValueError` as `Text.of_parts`."""
    try:
        return Text.of_parts(parts)
    except TypeError:
        texts = [list(_written(part)) for part in parts]
    return Text.of_parts(texts) if all(isinstance(one, str) for part in texts for one in part) else None


def _written(ids: Iterable[Any]) -> Iterator[Any]:
    for one in ids:
        is_number = isinstance(one, int | np.integer) and not isinstance(one, bool)
        yield str(one) if is_number else one


def _first_fault(ids: Iterable[Any]) -> tuple[int, str]:
    """`(row, reason)` of the first id that is none."""
    for row, one in enumerate(_written(ids)):
        if not isinstance(one, str):
            return row, f"is {_kind(one)}: ids are text or whole numbers"
        if _words([[one]]) is None:
            return row, f"is {one!r}: ids are not empty, and UTF-8 without NUL"
    raise AssertionError("every id is one")


def _is_named(row: Any) -> bool:
    """A named tuple that begins with the two ids, such as ir_measures' Qrel, which has the iteration last."""
    return tuple(getattr(row, "_fields", ()))[:2] == ("query_id", "doc_id")


def _kind(value: object) -> str:
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
