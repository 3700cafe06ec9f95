"""Two runs on one topic: the documents at their tops side by side, and how much of the difference each makes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.engine.measures.base import Measure
from evaluation.engine.one_run import RankedDocument, ranking
from evaluation.engine.options import Options
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.sensitivity.cases import runs_of_pairs

DEPTH = 20  # documents of each run, unless the measure looks less far


@dataclass(frozen=True)
class BesideDocument:
    """A document with its rank in either run, None beyond the depth; `grade` None: not judged.

    `part`: by how much the difference would fall if the document were not relevant, all else as it is; 0 for one that
    is not. Parts do not add up to the difference: the best possible ranking changes with each.
    """

    docno: str
    grade: int | None
    ranks: tuple[int | None, int | None]
    part: float


@dataclass(frozen=True)
class SideBySide:
    """`value`: of the first run and of the second. Documents that make most of the difference first."""

    number: str
    measure: str
    tags: tuple[str, str]
    value: tuple[float, float]
    depth: int
    documents: tuple[BesideDocument, ...]

    @property
    def difference(self) -> float:
        return self.value[0] - self.value[1]


def side_by_side(
    runs: tuple[PackedRun, PackedRun], qrels: Qrels, number: str, measure: Measure, options: Options
) -> SideBySide:
    """The values are those of an evaluation with the same options.

    Raises `ValueError` for a topic that is not in the qrels, and as `runs_of_pairs` does: for a measure that is no mean
    of a quality.
    """
    if number not in qrels.numbers:
        raise ValueError(f"the qrels have no topic {number}")
    depth = int(measure.cutoff) if measure.cutoff and measure.cut_is == "rank" else DEPTH
    rankings = [ranking(run, qrels, number, depth=depth) for run in runs]
    pairs = _pairs_of(qrels, number)
    docnos = list(pairs.docno)
    seen = {row.docno: at for at, row in enumerate(_first_seen(rankings))}
    relevant = [at for at, docno in enumerate(docnos) if docno in seen and pairs.grade[at] > 0]
    cases = np.tile(pairs.grade, (1 + len(relevant), 1))
    cases[np.arange(len(relevant)) + 1, relevant] = 0
    value = runs_of_pairs(runs, pairs, measure, options).values(cases)[:, :, 0]  # (n_cases, 2)
    difference = value[:, 0] - value[:, 1]
    parts = {docnos[at]: float(difference[0] - one) for at, one in zip(relevant, difference[1:], strict=True)}
    documents = [
        BesideDocument(row.docno, row.grade, _ranks(rankings, row.docno), parts.get(row.docno, 0.0))
        for row in _first_seen(rankings)
    ]
    return SideBySide(
        number=number,
        measure=str(measure),
        tags=(runs[0].tag, runs[1].tag),
        value=(float(value[0, 0]), float(value[0, 1])),
        depth=depth,
        documents=tuple(sorted(documents, key=lambda one: (-abs(one.part), seen[one.docno]))),
    )


def _pairs_of(qrels: Qrels, number: str) -> Qrels:
    """Those of one topic."""
    at = qrels.numbers.index(number)
    first, last = int(qrels.start[at]), int(qrels.start[at + 1])
    docnos = list(qrels.docno.part(first, last))
    return Qrels.of([number] * len(docnos), docnos, qrels.grade[first:last])


def _first_seen(rankings: Sequence[Sequence[RankedDocument]]) -> list[RankedDocument]:
    """Each document once, rank by rank."""
    rows = sorted((row for rows in rankings for row in rows), key=lambda row: row.rank)
    return list({row.docno: row for row in reversed(rows)}.values())[::-1]


def _ranks(rankings: Sequence[Sequence[RankedDocument]], docno: str) -> tuple[int | None, int | None]:
    first, second = (next((row.rank for row in rows if row.docno == docno), None) for rows in rankings)
    return first, second
