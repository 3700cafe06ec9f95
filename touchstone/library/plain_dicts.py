"""Plain dicts looked up as they are: to turn every docno into numbers first would take longer than all the rest.

Whatever is not plain text and numbers, or is wrong, is left to `MemoryTable`, which reads more and
says what is wrong.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import accumulate, chain, repeat
from typing import Any, TypeAlias

import numpy as np

from annotation.formats.text import Text
from evaluation.engine.arrays import Floats, Ints, lengths, sort_within, topic_of_row
from evaluation.engine.lookup import Lookup
from evaluation.engine.options import DEFAULT_OPTIONS, Options
from evaluation.engine.qrels import MOST_GRADE, Qrels
from evaluation.engine.run import PackedRun

MOST_ROWS, SHORT_TOPIC = 20_000, 100  # longer topics in more rows: threads and sorting in the cache make up for it
UNJUDGED = -MOST_GRADE - 1
NO_TEXT, NO_KEYS, NO_PLACE = Text.of(()), np.zeros(0, np.uint64), np.zeros(0, np.int32)

ByTopic: TypeAlias = Mapping[str, Mapping[str, Any]]


def look_up_plain(qrels: object, run: object, tag: str, options: Options) -> tuple[Qrels, PackedRun, Lookup] | None:
    """What `look_up` finds, with qrels and a run that know no docnos. None where that is not for here."""
    if options != DEFAULT_OPTIONS and replace(options, max_grade=None) != DEFAULT_OPTIONS:
        return None
    judged, retrieved = _by_topic(qrels), _by_topic(run)
    if not judged or not retrieved:
        return None
    grade, score = _numbers(judged, {int}, np.int64), _numbers(retrieved, {int, float}, np.float64)
    if grade is None or score is None or np.abs(grade).max() > MOST_GRADE or not np.isfinite(score).all():
        return None
    start = _starts(judged)
    reference = Qrels(tuple(judged), start, topic_of_row(start), NO_TEXT, NO_KEYS, grade)
    order = _evaluated_order(retrieved, start := _starts(retrieved), score)
    packed = PackedRun(tag, tuple(retrieved), 0, start, score[order], NO_TEXT, NO_KEYS, NO_PLACE)
    return reference, packed, _lookup(reference, packed, _grade_of_row(judged, retrieved, order))


def _lookup(qrels: Qrels, run: PackedRun, grade: Ints) -> Lookup:
    """`grade`, (n_rows,), is that of each row in evaluated order."""
    n_retrieved = dict(zip(run.numbers, lengths(run.start).tolist(), strict=True))
    topic_by_number = {number: t for t, number in enumerate(qrels.numbers)}
    row = (grade != UNJUDGED).nonzero()[0]
    grade, topic = grade[row], topic_of_row(run.start)[row]
    retrieved = np.array([n_retrieved.get(number, 0) for number in qrels.numbers])
    return Lookup(
        in_run=retrieved > 0,
        n_retrieved=retrieved,
        topic=np.array([topic_by_number.get(number, -1) for number in run.numbers])[topic],
        rank=row - run.start[topic] + 1,
        grade=grade,
        row=row,
        ideal_topic=qrels.topic,
        ideal_grade=qrels.ideal_grade,
        judged_row=row[grade >= 0],
    )


def _by_topic(rows: object) -> ByTopic | None:
    """Topics in byte order, those without a document left out; None where an id is not plain text, or rows are many."""
    if type(rows) is not dict or any(type(documents) is not dict for documents in rows.values()):
        return None
    filled = {number: documents for number, documents in rows.items() if documents}
    if sum(map(len, filled.values())) > max(MOST_ROWS, SHORT_TOPIC * len(filled)):
        return None
    if any("" in documents for documents in (filled, *filled.values())):
        return None
    try:
        text = "".join(chain(filled, chain.from_iterable(filled.values())))
        text.isascii() or text.encode()
    except (TypeError, UnicodeEncodeError):
        return None
    return None if "\0" in text else {number: filled[number] for number in sorted(filled)}


def _numbers(rows: ByTopic, kinds: set[type], dtype: type[np.generic]) -> Any:
    """The numbers of all rows, (n_rows,); None where one is of another kind, or too large."""
    numbers = list(chain.from_iterable(documents.values() for documents in rows.values()))
    if not kinds.issuperset(map(type, numbers)):
        return None
    try:
        return np.array(numbers, dtype)
    except OverflowError:
        return None


def _starts(rows: ByTopic) -> Ints:
    return np.array([*accumulate(map(len, rows.values()), initial=0)])


def _evaluated_order(rows: ByTopic, start: Ints, score: Floats) -> Ints:
    """The row at each place: score descending, then docno descending, which text sorts as UTF-8 does. (n_rows,)"""
    order = sort_within(start, -score)
    ordered = score[order]
    as_before = np.append(ordered[1:] == ordered[:-1], False)
    as_before[start[1:] - 1] = False
    if as_before.any():
        docno = list(chain.from_iterable(rows.values()))
        for first, past in _groups(as_before):
            order[first:past] = sorted(order[first:past].tolist(), key=docno.__getitem__, reverse=True)
    return order


def _groups(as_next: Any) -> Iterator[tuple[int, int]]:
    """`(first, past)` of rows that are alike; `as_next`, (n_rows,), says of each row whether the next one is."""
    edge = np.flatnonzero(np.diff(as_next, prepend=False, append=False))
    return ((a, b + 1) for a, b in edge.reshape(-1, 2).tolist())


def _grade_of_row(judged: ByTopic, retrieved: ByTopic, order: Ints) -> Ints:
    """In evaluated order. (n_rows,)"""
    nothing = dict[str, int]()
    grades: Iterable[Iterable[int]] = (
        map(judged.get(number, nothing).get, documents, repeat(UNJUDGED)) for number, documents in retrieved.items()
    )
    return np.fromiter(chain.from_iterable(grades), np.int64, order.size)[order]
