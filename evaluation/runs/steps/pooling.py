"""Pools from the tops of runs."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.corpus.steps.pooling import create_pool
from annotation.formats.pairs import PairRow
from annotation.formats.problems import Problems
from annotation.models import Collection, Pool, User
from evaluation.engine.pooling import pool, pool_counts
from evaluation.models import Run
from evaluation.runs.read import stored_run


@dataclass(frozen=True)
class PoolCount:
    """How many pairs a pool would have. `empty`: chosen topics for which no run has a document."""

    n_pairs: int
    n_topics: int
    fewest: int
    most: int
    empty: tuple[str, ...]


def count_pool(runs: Sequence[Run], *, depth: int, numbers: Sequence[str]) -> PoolCount:
    """Counted from the runs as they are stored; nothing is written."""
    counts = pool_counts([stored_run(run) for run in runs], depth=depth, numbers=numbers)
    filled = [n for n in counts.values() if n]
    return PoolCount(
        n_pairs=sum(filled),
        n_topics=len(filled),
        fewest=min(filled, default=0),
        most=max(filled, default=0),
        empty=tuple(number for number, n in counts.items() if not n),
    )


def pooled_docnos(runs: Sequence[Run], *, depth: int, numbers: Sequence[str]) -> set[str]:
    """The documents that such a pool would have."""
    return set(pool([stored_run(run) for run in runs], depth=depth, numbers=numbers).docno)


def create_pool_from_runs(
    collection: Collection,
    *,
    name: str,
    runs: Sequence[Run],
    depth: int,
    numbers: Sequence[str],
    created_by: User | None,
) -> Pool:
    """The first `depth` documents of each run for each topic, in the fused order of the runs.

    Raises `FormatError` with the documents that the collection does not have: what has no text cannot be judged.
    """
    pairs = pool([stored_run(run) for run in runs], depth=depth, numbers=numbers)
    return create_pool(
        collection,
        name=name,
        pairs=[PairRow(number, docno, 0) for number, docno in zip(pairs.number, pairs.docno, strict=True)],
        problems=Problems("the chosen runs"),
        origin={"kind": "runs", "depth": depth, "runs": [run.tag for run in runs], "topics": list(numbers)},
        created_by=created_by,
    )
