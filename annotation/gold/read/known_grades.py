"""Gold as those read it who score judgments: the known grades, and which judgments are of such pairs.

A judgment of somebody who had been told of the pair before says nothing of how good they are.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.db.models import TextField
from django.db.models.functions import Cast

from annotation.gold.read.current import current_gold
from annotation.kernel.judged.rows import microseconds
from annotation.models import Collection, Feedback
from annotation.quality.arrays import Bools, Ints
from annotation.quality.gold import Gold, gold_pairs
from annotation.quality.pairs import find
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable

Pair = tuple[str, str]  # topic number, docno
Meeting = tuple[str, str, str]  # topic number, docno, pseudonym


@dataclass(frozen=True)
class KnownGrade:
    """A gold pair's grade, and all grades that count as right there."""

    grade: int
    accepted: frozenset[int]


def known_gold(collection: Collection, criterion: str, scales: Iterable[int]) -> dict[Pair, KnownGrade]:
    """Current gold that was given on these scale versions. One query."""
    events = current_gold(collection, criterion).filter(scale__in=scales).order_by("pk")
    as_text = Cast("accepted", TextField())  # read all at once: one by one, lists of JSON take half of the time
    rows = list(events.values_list("topic__number", "document__docno", "grade", as_text))
    accepted = json.loads(f"[{','.join(row[3] for row in rows)}]")
    return {
        (number, docno): KnownGrade(grade or 0, frozenset({*grades, grade or 0}))
        for (number, docno, grade, _), grades in zip(rows, accepted, strict=True)
    }


def gold_of(table: JudgmentTable, gold_by_pair: Mapping[Pair, KnownGrade], scale: Scale) -> Gold:
    """As arrays; pairs unknown to the table are left out."""
    return gold_pairs(
        table,
        number=[number for number, _ in gold_by_pair],
        docno=[docno for _, docno in gold_by_pair],
        grade=[each.grade for each in gold_by_pair.values()],
        accepted=[each.accepted for each in gold_by_pair.values()],
        scale=scale,
    )


def told_at(collection: Collection, criterion: str) -> dict[Meeting, datetime]:
    """When each person was first told of a pair, whatever the batch. One query."""
    feedback = Feedback.objects.filter(batch__collection=collection, batch__criterion=criterion)
    meeting = ("assignment__item__topic__number", "assignment__item__document__docno", "annotator__pseudonym")
    rows = feedback.order_by("-created_at").values_list(*meeting, "created_at").iterator()
    return {(number, docno, annotator): at for number, docno, annotator, at in rows}


def informed_rows(table: JudgmentTable, saved: Ints, feedback: Mapping[Meeting, datetime]) -> Bools:
    """(n,): which rows of a table, `saved` at these microseconds since 1970, came after their person had been told."""
    numbers, docnos, people = (
        {word: code for code, word in enumerate(words)} for words in (table.numbers, table.docnos, table.annotators)
    )
    codes = [
        (numbers[number], docnos[docno], people[annotator], microseconds(at))
        for (number, docno, annotator), at in feedback.items()
        if number in numbers and docno in docnos and annotator in people
    ]
    topic, document, annotator, at = np.array(codes, dtype=np.int64).reshape(-1, 4).T
    meeting = table.pair_key(topic, document) * max(len(people), 1) + annotator
    order = np.argsort(meeting)
    index, is_told = find(table.meeting, meeting[order])
    if not codes:
        return is_told
    return np.asarray(is_told & (saved > at[order][index]))
