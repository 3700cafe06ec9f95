"""Runs and qrels for tests: from plain Python values, and at random."""

import io
import random

from annotation.formats.problems import Problems
from annotation.formats.qrels import QrelsTable
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun, load_run, pack_run
from evaluation.formats.run import parse_run

Grades = dict[str, dict[str, int]]  # topic number → docno → grade
Scores = dict[str, dict[str, float]]


def run_text(scores: Scores, tag: str = "made") -> bytes:
    rows = [f"{n} Q0 {d} 1 {s!r} {tag}\n" for n, docs in scores.items() for d, s in docs.items()]
    return "".join(rows).encode()


def made_run(scores: Scores, tag: str = "made") -> PackedRun:
    return load_run(pack_run(parse_run(io.BytesIO(run_text(scores, tag)), Problems("made.run"))))


def made_qrels(grades: Grades) -> Qrels:
    rows = [(n, d, g) for n, docs in grades.items() for d, g in docs.items()]
    return Qrels.of([n for n, _, _ in rows], [d for _, d, _ in rows], [g for _, _, g in rows])


def qrels_of(table: QrelsTable) -> Qrels:
    return Qrels.of(table.number, table.docno, table.grade)


def random_case(seed: int) -> tuple[Grades, Scores]:
    """Few documents, coarse scores: many ties, negative grades, topics without relevant documents or missing anywhere.

    Scores are eighths, the same number as float32, which trec_eval 9 compares.
    """
    rng = random.Random(seed)
    docnos = [f"{rng.choice('aBé')}{'x' * rng.randrange(12)}{i}" for i in range(rng.randrange(3, 60))]
    numbers = [str(rng.randrange(1000)) for _ in range(12)]
    highest = rng.choice([1, 4])
    grades, scores = Grades(), Scores()
    for number in numbers:
        if rng.random() < 0.85:
            judged = rng.sample(docnos, rng.randrange(1, len(docnos) + 1))
            grades[number] = {d: rng.choice([-2, -1, 0, 0, *range(highest + 1)]) for d in judged}
        if rng.random() < 0.85 or len(scores) == 0:
            ranking = rng.sample(docnos, rng.randrange(1, len(docnos) + 1))
            scores[number] = {d: rng.randrange(-8, rng.choice([-6, 40])) / 8 for d in ranking}
    return grades or {"1": {"a": 1}}, scores
