"""Gold: set, corrected and withdrawn by events. The last event of a pair and criterion is what holds."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import BinaryIO

import numpy as np
from django.conf import settings
from django.db import transaction
from django.utils.text import capfirst

from annotation.corpus.read import found_pairs
from annotation.corpus.steps import report_unknown
from annotation.formats.fields import whole_number
from annotation.formats.gold import GoldRow, read_gold
from annotation.formats.outside import parse_grade_map
from annotation.formats.pairs import PairRow
from annotation.formats.problems import Problems
from annotation.formats.store import path_of
from annotation.gold.read.change import pair_in_words
from annotation.gold.read.current import current_gold
from annotation.gold.read.maps import grade_maps
from annotation.gold.steps.corrections import refuse_unsaid
from annotation.gold.steps.events import GoldTaken, Pair, Wanted, gold_event, held_gold, is_new, scale_of, take_wanted
from annotation.gold.steps.feedback import ask_for_feedback
from annotation.gold.steps.fit import note_misfit
from annotation.gold.steps.record import record_gold
from annotation.models import Collection, Document, GoldEvent, Pool, PoolPair, ScaleVersion, Snapshot, Topic, User
from annotation.quality.table import CRITERION

MOST_AT_ONCE = 100_000  # pairs: about a second in which nobody's judgment is stored on SQLite


class GoldRefused(Exception):  # noqa: N818 -- an answer, not an error
    """The step is not possible; the message says why."""


@transaction.atomic
def set_gold(
    collection: Collection,
    *,
    topic: Topic,
    document: Document,
    grade: int,
    accepted: Iterable[int],
    reason: str,
    explanation: str = "",
    actor: User | None,
    recorded: bool = True,
) -> GoldEvent:
    """Set or correct a pair's grade. `accepted` are the grades that count as correct; the grade itself always does.

    `explanation` is told to those who have judged the pair, once results are due. Without `recorded`, the caller calls
    `record_gold`, and has more to say.
    """
    wanted = Wanted((topic.pk, document.pk), grade, reason, explanation)
    event = gold_event(scale_of(collection), wanted, actor, accepted)
    event.save()
    ask_for_feedback(collection, created_by=actor)
    if recorded:
        record_gold(event)
    return event


@transaction.atomic
def withdraw_gold(
    collection: Collection,
    *,
    topic: Topic,
    document: Document,
    reason: str,
    actor: User | None,
    recorded: bool = True,
) -> GoldEvent:
    """The pair is gold no more. What was judged stays, and stops counting for anybody's accuracy.

    `recorded` as above.
    """
    held = current_gold(collection, CRITERION).filter(topic=topic, document=document).first()
    if held is None:
        raise GoldRefused(f"{capfirst(pair_in_words(topic, document))} is not gold.")
    event = GoldEvent.objects.create(
        collection=collection,
        topic=topic,
        document=document,
        criterion=CRITERION,
        scale_id=held.scale_id,
        action=GoldEvent.Action.WITHDRAW,
        reason=reason,
        created_by=actor,
    )
    ask_for_feedback(collection, created_by=actor)
    if recorded:
        record_gold(event)
    return event


def take_gold_from_file(
    collection: Collection, *, stream: BinaryIO, filename: str, actor: User | None, correct: bool
) -> GoldTaken:
    """As `take_gold`, with the lines of the file. Without `correct`, pairs that would be corrected are a problem."""
    problems = Problems(filename)
    rows = list(read_gold(stream, problems))
    refuse_unmapped(collection, rows, problems)
    note_misfit(collection, rows, problems)
    wanted = wanted_gold(collection, rows, problems)
    if not correct:
        refuse_unsaid(collection, wanted, problems)
    taken = take_wanted(collection, wanted, source=filename, actor=actor)
    return replace(taken, notes=_noted(problems))


def take_gold(
    collection: Collection, *, rows: Sequence[GoldRow], problems: Problems, source: str, actor: User | None
) -> GoldTaken:
    """All of the pairs, or none. Raises `FormatError` for unknown pairs and grades that the scale does not have."""
    return take_wanted(collection, wanted_gold(collection, rows, problems), source=source, actor=actor)


def refuse_unmapped(collection: Collection, rows: Iterable[GoldRow], problems: Problems) -> None:
    """Ask what the grades of gold are worth that comes as it is beside judgments whose grades were taken for others."""
    found = list(rows)
    for name, text in grade_maps(collection):
        worth = {
            word: grade for word, grade in parse_grade_map(text).items() if whole_number(word) not in (None, grade)
        }
        said = ((row.line, grade) for row in found for grade in (row.grade, *(row.accepted or ())))
        line, grade = next(((line, grade) for line, grade in said if str(grade) in worth), (0, None))
        if grade is not None:
            problems.add(
                line,
                f"the grade {grade} was mapped in the judgments of {name} ({text}): say what the grades of this "
                f"file are worth, in the same way, or as {grade}={grade} where they are of the scale already",
            )


def compare_gold(collection: Collection, wanted: Sequence[Wanted]) -> GoldTaken:
    """What taking these pairs would do, without doing it."""
    held = held_gold(collection)
    new = [each.pair for each in wanted if is_new(each, held.get(each.pair))]
    return GoldTaken(len(new), len(wanted) - len(new), n_known=sum(pair in held for pair in new))


def take_gold_from_snapshot(
    collection: Collection,
    *,
    snapshot: Snapshot,
    per_grade: int | None,
    unlisted_are_zero: bool,
    pool: Pool | None = None,
    n_unlisted: int = 0,
    seed: int,
    actor: User | None,
    correct: bool = True,
) -> GoldTaken:
    """Gold from imported qrels: all listed pairs, or by seed `per_grade` of each topic and grade.

    With `unlisted_are_zero`, `n_unlisted` documents of each topic that the qrels do not list are drawn from the pool,
    to be gold of the lowest grade. Pairs that the collection does not have, and grades below 0, are left aside.
    Without `correct`, pairs that would be corrected are a problem.
    """
    if snapshot.origin != Snapshot.Origin.IMPORTED:
        raise GoldRefused("Only imported qrels can be taken as gold: frozen ones come from the judgments themselves.")
    problems = Problems(snapshot.name)
    listed, n_unknown = _listed(collection, snapshot, problems)
    rng = np.random.default_rng(seed)
    reason = f"Listed in {snapshot.name}"
    wanted = [Wanted(pair, grade, reason) for pair, grade in _drawn(listed, per_grade, rng)]
    zeros = _unlisted(listed, pool, n_unlisted, rng) if unlisted_are_zero and pool else []
    bottom = scale_of(collection).bottom
    wanted += [Wanted(pair, bottom, f"Not listed in {snapshot.name}") for pair in zeros]
    _refuse_too_many(len(wanted), problems)
    if not correct:
        refuse_unsaid(collection, wanted, problems)
    taken = take_wanted(collection, wanted, source=snapshot.name, actor=actor)
    return replace(taken, n_unlisted=len(zeros), n_unknown=n_unknown, notes=_noted(problems))


def _listed(collection: Collection, snapshot: Snapshot, problems: Problems) -> tuple[dict[Pair, int], int]:
    """Grades of the snapshot's pairs that the collection has, and how many it has not. Refuses grades off the scale."""
    with path_of(settings.TOUCHSTONE_FILES, snapshot.qrels_sha256).open("rb") as stream:
        rows = list(read_gold(stream, problems))
    _report_grades(rows, scale_of(collection), problems)
    problems.check()
    known = found_pairs(collection, ((row.number, row.docno) for row in rows))
    found = {
        (known.topics[row.number], known.documents[row.docno]): row.grade
        for row in rows
        if row.number in known.topics and row.docno in known.documents
    }
    return found, len(rows) - len(found)


def _drawn(listed: dict[Pair, int], per_grade: int | None, rng: np.random.Generator) -> list[tuple[Pair, int]]:
    """By topic and pair; with `per_grade`, so many of each topic and grade."""
    pairs = sorted(listed)
    if per_grade is None:
        return [(pair, listed[pair]) for pair in pairs]
    groups: dict[tuple[int, int], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault((pair[0], listed[pair]), []).append(pair)
    return [
        (group[at], grade)
        for (_, grade), group in sorted(groups.items())
        for at in sorted(rng.permutation(len(group))[:per_grade])
    ]


def _unlisted(listed: dict[Pair, int], pool: Pool, n: int, rng: np.random.Generator) -> list[Pair]:
    """`n` pairs of the pool a topic of the qrels, among those that the qrels do not list."""
    topics = sorted({topic for topic, _ in listed})
    pooled: dict[int, list[int]] = {topic: [] for topic in topics}
    rows = PoolPair.objects.filter(pool=pool).order_by("topic", "document").values_list("topic_id", "document_id")
    for topic, document in rows:
        if topic in pooled and (topic, document) not in listed:
            pooled[topic].append(document)
    return [(topic, pooled[topic][at]) for topic in topics for at in sorted(rng.permutation(len(pooled[topic]))[:n])]


def wanted_gold(collection: Collection, rows: Sequence[GoldRow], problems: Problems) -> list[Wanted]:
    """The pairs of a file as they are to be gold. Raises as `take_gold` does."""
    _refuse_too_many(len(rows), problems)
    known = found_pairs(collection, ((row.number, row.docno) for row in rows))
    pairs = [PairRow(row.number, row.docno, row.line) for row in rows]
    report_unknown(pairs, known.topics.keys(), known.documents.keys(), problems)
    _report_grades(rows, scale_of(collection), problems)
    problems.check()
    return [
        Wanted(
            (known.topics[row.number], known.documents[row.docno]),
            row.grade,
            row.reason,
            row.explanation,
            row.accepted,
        )
        for row in rows
    ]


def _refuse_too_many(n: int, problems: Problems) -> None:
    if n > MOST_AT_ONCE:
        raise problems.stop(0, f"{n} pairs of gold, at most {MOST_AT_ONCE} are taken at once")


def _report_grades(rows: Iterable[GoldRow], scale: ScaleVersion, problems: Problems) -> None:
    known = range(scale.bottom, scale.top + 1)
    for row in rows:
        beyond = [str(grade) for grade in row.accepted or () if grade not in known]
        if row.grade not in known:
            problems.add(row.line, f"the scale has no grade {row.grade} ({scale.bottom} to {scale.top})")
        elif beyond:
            reason = f"grade {', '.join(beyond)}, which would be accepted ({scale.bottom} to {scale.top})"
            problems.add(row.line, f"the scale has no {reason}")


def _noted(problems: Problems) -> tuple[str, ...]:
    return tuple(note.reason for note in problems.notes)
