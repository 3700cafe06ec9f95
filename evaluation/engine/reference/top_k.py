"""What of the reference's k nearest a model finds: the k nearest of the reference are the judged documents.

Measures are those of any run, by the scorer that there is; only who judges differs.
"""

from collections.abc import Sequence

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.measures import parse_measure
from evaluation.engine.qrels import Qrels
from evaluation.engine.scorer import evaluate_runs
from evaluation.engine.significance.overlap import rank_biased_overlap
from evaluation.engine.vectors.run_of_nearest import run_of
from evaluation.engine.vectors.search import Nearest

FAMILIES = ("R", "nDCG", "RR", "AP(of='found')")
OVERLAP = "RBO"


def measures_at(k: int) -> list[str]:
    return [f"{family}@{k}" for family in (*FAMILIES, OVERLAP)]


def values_at(
    reference: Nearest, models: Sequence[Nearest], numbers: list[str], docno: list[str], k: int
) -> list[Floats]:
    """For each model a value a query and measure of `measures_at(k)`, (n_queries, n_measures).

    `numbers` name the queries, ascending as bytes; every query has k documents at least. RBO is that of the two tops of
    k, extrapolated, p = .9.
    """
    measures = [parse_measure(name) for name in measures_at(k)[: len(FAMILIES)]]
    runs = [run_of(_top(one, k), numbers, docno, f"model {number}").packed for number, one in enumerate(models)]
    scored = evaluate_runs(runs, _judged(reference, numbers, docno, k), measures)
    overlap = [_overlaps(reference, one, k) for one in models]
    return [np.column_stack([one.value, rbo]) for one, rbo in zip(scored, overlap, strict=True)]


def _top(nearest: Nearest, k: int) -> Nearest:
    return Nearest(nearest.document[:, :k], nearest.score[:, :k])


def _judged(reference: Nearest, numbers: list[str], docno: list[str], k: int) -> Qrels:
    """Its k nearest documents of each query, all of grade 1."""
    names = [docno[row] for row in reference.document[:, :k].ravel().tolist()]
    return Qrels.of([number for number in numbers for _ in range(k)], names, np.ones(len(names), np.int64))


def _overlaps(reference: Nearest, model: Nearest, k: int) -> Floats:
    tops = (np.char.mod("%d", one.document[:, :k]).tolist() for one in (reference, model))
    return np.array([rank_biased_overlap(a, b).value for a, b in zip(*tops, strict=True)])
