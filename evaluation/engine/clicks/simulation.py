"""Clicks on interleaved lists, simulated by a model of users."""

from collections.abc import Sequence

import numpy as np

from evaluation.engine.arrays import Bools, Ints, Words
from evaluation.engine.clicks.models import ClickModel
from evaluation.engine.interleaving.lists import Lists
from evaluation.engine.qrels import Qrels

NO_DOCUMENT = -1


def grades_shown(docnos: Sequence[Sequence[str]], number: Sequence[str], qrels: Qrels, depth: int) -> Ints:
    """(n, depth): the grades of the documents, 0 for those that are not judged, `NO_DOCUMENT` behind the end."""
    topics = {name: at for at, name in enumerate(qrels.numbers)}
    grades: dict[str, dict[str, int]] = {}
    grade = np.full((len(docnos), depth), NO_DOCUMENT, np.int64)
    for row, (names, topic) in enumerate(zip(docnos, number, strict=True)):
        if topic not in grades:
            at = topics.get(topic)
            span = np.zeros(0, np.int64) if at is None else np.arange(qrels.start[at], qrels.start[at + 1])
            grades[topic] = dict(zip(qrels.docno.take(span), qrels.grade[span].tolist(), strict=True))
        grade[row, : len(names)] = [max(0, grades[topic].get(docno, 0)) for docno in names]
    return grade


def simulated_clicks(
    lists: Lists, qrels: Qrels, model: ClickModel, *, impressions: int, rng: np.random.Generator
) -> tuple[Ints, Bools]:
    """`(list, clicked)` of impressions of lists that are drawn with equal chances: (n,), (n, depth).

    Raises `ValueError` for no impression, and where no shown document is judged.
    """
    if impressions < 1:
        raise ValueError("at least one impression is simulated")
    grade = grades_shown(lists.docno, lists.number, qrels, lists.depth)
    refuse_unjudged(grade)
    row = np.sort(rng.integers(0, lists.n_lists, impressions))
    return row, model.clicks(grade[row], top_of(qrels), rng)


def as_bits(clicked: Bools) -> Words:
    """(n, depth) to (n,): bit i for position i + 1."""
    weight = np.left_shift(np.uint64(1), np.arange(clicked.shape[1], dtype=np.uint64))
    bits: Words = (clicked * weight).sum(axis=1, dtype=np.uint64)
    return bits


def top_of(qrels: Qrels) -> int:
    """The highest grade, at least 1."""
    return max(1, int(qrels.grade.max()))


def refuse_unjudged(grade: Ints) -> None:
    """Raise `ValueError` where no document that is shown is relevant."""
    if not (grade > 0).any():
        raise ValueError("no document that is shown is judged relevant: clicks would say nothing")
