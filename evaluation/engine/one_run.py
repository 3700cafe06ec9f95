"""One run beside qrels: a topic's ranking with its grades, what of the tops is unjudged, precision by recall."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.engine.measures import parse_measure
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import Averaging, evaluate_runs

LEVELS = tuple(f"{level / 10:g}" for level in range(11))  # of recall, as the first TRECs drew them


@dataclass(frozen=True)
class RankedDocument:
    """`grade` is None where the document is not judged; one that was pooled and not judged (a grade below 0) is so."""

    number: str
    rank: int
    docno: str
    score: float
    grade: int | None


def ranking(run: PackedRun, qrels: Qrels, number: str, *, depth: int) -> list[RankedDocument]:
    """The first `depth` documents of the topic in evaluated order; none for a topic that the run lacks."""
    if number not in run.numbers:
        return []
    at = run.numbers.index(number)
    first = int(run.start[at])
    last = min(first + depth, int(run.start[at + 1]))
    grades = _grades(qrels, number)
    docnos, scores = run.docno.part(first, last), run.score[first:last].tolist()
    return [
        RankedDocument(number, rank, docno, score, grades.get(docno))
        for rank, (docno, score) in enumerate(zip(docnos, scores, strict=True), 1)
    ]


def unjudged(run: PackedRun, qrels: Qrels, *, depth: int) -> list[RankedDocument]:
    """What is unjudged within the depth, of all topics of the qrels: rank by rank, of one rank in their order."""
    rows = [row for number in qrels.numbers for row in ranking(run, qrels, number, depth=depth) if row.grade is None]
    return sorted(rows, key=lambda row: row.rank)


def precision_at_recall(run: PackedRun, qrels: Qrels, *, averaging: Averaging) -> Sequence[float]:
    """The mean interpolated precision at the eleven `LEVELS` of recall (measure `iprec`)."""
    measures = [parse_measure(f"iprec@{level}") for level in LEVELS]
    (values,) = evaluate_runs([run], qrels, measures, averaging=averaging)
    means: list[float] = values.mean.tolist()
    return means


def _grades(qrels: Qrels, number: str) -> Mapping[str, int]:
    """By docno, of what is judged."""
    if number not in qrels.numbers:
        return {}
    at = qrels.numbers.index(number)
    first, last = int(qrels.start[at]), int(qrels.start[at + 1])
    pairs = zip(qrels.docno.part(first, last), qrels.grade[first:last].tolist(), strict=True)
    return {docno: grade for docno, grade in pairs if grade >= 0}
