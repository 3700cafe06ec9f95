"""Rows that a program holds, as the scorer reads them: ids and numbers checked, each fault with its query and document.

Rows come group by group, a group being rows of one query that stand together: a mapping has one group a query, tuples
and frames one a row.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from annotation.formats.coding import coded
from annotation.formats.qrels import QrelsTable
from annotation.formats.text import Text
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.qrels import Qrels, RowError, refuse_repeats, whole_grades
from evaluation.engine.run import PackedRun, RunPart, RunTable

NUMBERS = (int, float, np.integer, np.floating)


@dataclass(frozen=True, eq=False)
class MemoryTable:
    """`title` is what errors call it. `length` is how many rows each of the groups has, (n_groups,)."""

    title: str
    query: list[object]  # n_groups
    length: Ints
    document: list[object]  # n_rows
    value: Sequence[object]  # n_rows: grades or scores
    in_rows: bool  # whether a row has a number that its reader knows

    @classmethod
    def of_mapping(cls, title: str, rows: Mapping[object, object]) -> "MemoryTable":
        """From a mapping of query to a mapping of document to value. Queries without a document are left aside."""
        for query, documents in rows.items():
            if not isinstance(documents, Mapping):
                raise TypeError(
                    f"{title}, query {query!r}: documents come as a mapping of document to number, "
                    f"not as {_kind(documents)}"
                )
        filled = {query: documents for query, documents in rows.items() if isinstance(documents, Mapping) and documents}
        return cls(
            title,
            list(filled),
            np.fromiter(map(len, filled.values()), np.int64, len(filled)),
            list(chain.from_iterable(filled.values())),
            list(chain.from_iterable(documents.values() for documents in filled.values())),
            in_rows=False,
        )

    @classmethod
    def of_columns(
        cls, title: str, query: Iterable[object], document: Iterable[object], value: Iterable[object]
    ) -> "MemoryTable":
        """From three columns of one length."""
        numbers, values = list(query), list(value)
        return cls(title, numbers, np.ones(len(numbers), np.int64), list(document), values, in_rows=True)

    @classmethod
    def of_rows(cls, title: str, rows: Iterable[Sequence[object]], what: str) -> "MemoryTable":
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
        with_text, docno = self._texts("judged pair")
        numbers, group = coded(with_text)
        topic = np.repeat(group, self.length).astype(np.int32)
        try:
            grade = whole_grades(self.value)
            refuse_repeats(numbers, topic, docno) if self.in_rows else None
        except RowError as fault:
            raise self._refused(fault.row, fault.reason) from fault
        return Qrels.of_table(QrelsTable(numbers, topic, docno, grade, np.zeros(0, np.int64)))

    def run(self, tag: str) -> PackedRun:
        """Raises `ValueError` for no rows, an id or a score of no sense, and a document that occurs twice."""
        with_text, docno = self._texts("row")
        numbers, group = coded(with_text)
        table = RunTable(tag, numbers, (RunPart(group, self.length, docno, self._scores()),))
        for earlier, row in table.repeats() if self.in_rows else ():
            raise self._refused(row, f"the document is retrieved for this query in row {earlier} already")
        return table.packed

    def _texts(self, what: str) -> tuple[Text, Text]:
        """The queries of the groups and the documents of the rows."""
        if not self.document:
            raise ValueError(f"{self.title}: no {what}")
        query, document = _words(self.query), _words(self.document)
        if query is None:
            row, reason = _first_fault(self.query)
            raise self._refused(int(np.cumsum(self.length)[row] - self.length[row]), f"the query {reason}")
        if document is None:
            row, reason = _first_fault(self.document)
            raise self._refused(row, f"the document {reason}")
        return query, document

    def _scores(self) -> Floats:
        if set(map(type, self.value)) <= {int, float, np.float64, np.float32}:
            score = np.array(self.value, np.float64)
            if np.isfinite(score).all():
                return score
        for row, value in enumerate(self.value):
            if isinstance(value, bool) or not isinstance(value, NUMBERS) or not np.isfinite(value):
                raise self._refused(row, f"the score {value!r} is not a finite number")
        return np.array(self.value, np.float64)

    def _refused(self, row: int, reason: str) -> ValueError:
        group = int(np.searchsorted(np.cumsum(self.length), row, side="right"))
        place = f"query {self.query[group]!r}, document {self.document[row]!r}"
        return ValueError(f"{self.title}, {f'row {row} ({place})' if self.in_rows else place}: {reason}")


def _words(ids: list[object]) -> Text | None:
    """Ids as text, whole numbers as they are written; None where one is neither, empty or holds a NUL."""
    texts = ids if set(map(type, ids)) == {str} else list(_written(ids))
    try:
        joined = "".join(texts)  # type: ignore[arg-type]  # refuses what is no text
        text = Text.of(texts) if "\0" not in joined else None  # type: ignore[arg-type]
    except (TypeError, UnicodeEncodeError):
        return None
    has_empty = text is not None and not text.count and bool((np.diff(text.begin) == 0).any())
    return None if has_empty else text


def _written(ids: Iterable[object]) -> Iterator[object]:
    for one in ids:
        is_number = isinstance(one, int | np.integer) and not isinstance(one, bool)
        yield str(one) if is_number or isinstance(one, str) else one


def _first_fault(ids: list[object]) -> tuple[int, str]:
    """`(row, reason)` of the first id that is none."""
    for row, one in enumerate(_written(ids)):
        if not isinstance(one, str):
            return row, f"is {_kind(one)}: ids are text or whole numbers"
        if _words([one]) is None:
            return row, f"is {one!r}: ids are not empty, and UTF-8 without NUL"
    raise AssertionError("every id is one")


def _is_named(row: Sequence[object]) -> bool:
    """A named tuple that begins with the two ids, such as ir_measures' Qrel, which has the iteration last."""
    return tuple(getattr(row, "_fields", ()))[:2] == ("query_id", "doc_id")


def _kind(value: object) -> str:
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
