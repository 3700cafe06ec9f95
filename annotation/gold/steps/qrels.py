"""Gold from imported qrels: all listed pairs or some of each grade, and pairs that the qrels do not list."""

from dataclasses import replace

import numpy as np

from annotation.corpus.read.pairs import found_pairs
from annotation.formats.gold import read_gold
from annotation.formats.problems import Problems
from annotation.gold.read.current import LISTED, UNLISTED
from annotation.gold.steps.corrections import refuse_corrections
from annotation.gold.steps.events import GoldEntry, GoldError, GoldTaken, Pair, append_gold, scale_of
from annotation.gold.steps.files import notes_of, refuse_too_many, report_grades
from annotation.kernel.store import path_of
from annotation.models import Collection, Pool, PoolPair, Snapshot, User


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
        raise GoldError("Only imported qrels can be taken as gold: frozen ones come from the judgments themselves.")
    problems = Problems(snapshot.name)
    listed, n_unknown = _listed(collection, snapshot, problems)
    rng = np.random.default_rng(seed)
    reason = f"{LISTED} {snapshot.name}"
    entries = [GoldEntry(pair, grade, reason) for pair, grade in _drawn(listed, per_grade, rng)]
    zeros = _unlisted(listed, pool, n_unlisted, rng) if unlisted_are_zero and pool else []
    bottom = scale_of(collection).bottom
    entries += [GoldEntry(pair, bottom, f"{UNLISTED} {snapshot.name}") for pair in zeros]
    refuse_too_many(len(entries), problems)
    if not correct:
        refuse_corrections(collection, entries, problems)
    taken = append_gold(collection, entries, source=snapshot.name, actor=actor)
    return replace(taken, n_unlisted=len(zeros), n_unknown=n_unknown, notes=notes_of(problems))


def _listed(collection: Collection, snapshot: Snapshot, problems: Problems) -> tuple[dict[Pair, int], int]:
    """Grades of the snapshot's pairs that the collection has, and how many it has not. Refuses grades off the scale."""
    with path_of(snapshot.qrels_sha256).open("rb") as stream:
        rows = list(read_gold(stream, problems))
    report_grades(rows, scale_of(collection), problems)
    problems.check()
    ids = found_pairs(collection, ((row.number, row.docno) for row in rows))
    grades = {
        (ids.topics[row.number], ids.documents[row.docno]): row.grade
        for row in rows
        if row.number in ids.topics and row.docno in ids.documents
    }
    return grades, len(rows) - len(grades)


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
