"""Pools that grow as judging goes on: a first portion, the next by one click or by the worker."""

from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction

from annotation.corpus.steps.pooling import create_pool, pairs_to_judge
from annotation.formats.pairs import PairRow
from annotation.formats.problems import FormatError, Problems
from annotation.kernel.jobs import LIVE, JobRefusedError, JobRun, enqueue
from annotation.kernel.taken import TakenError
from annotation.models import Collection, Job, Pool, User
from evaluation.engine.packed import PackedError
from evaluation.pooling.read import (
    GrowingError,
    Growth,
    Pair,
    PoolProgress,
    candidates_for,
    growing_pools,
    growth_of,
    next_portion,
    portions_of,
    progress_of,
)

JOB = "grow_pool"


def start_growing(collection: Collection, growth: Growth, *, created_by: User | None) -> Pool:
    """The first portion, called as the series with a 1 behind it.

    Raises `FormatError` with every document of the whole pool that cannot be judged here, `GrowingError` for a name
    that is taken, and as `candidates_for` does.
    """
    is_taken = Pool.objects.filter(collection=collection, name=_name(growth)).exists()
    if is_taken or portions_of(collection, growth.series):
        raise GrowingError(f"The collection already has pools called {growth.series}.")
    names = candidates_for(collection, growth).named_pairs()
    growth = replace(growth, n_pool=len(names))
    problems = Problems("the chosen runs")
    pairs_to_judge(collection, _rows(names), problems)
    problems.check()
    progress = PoolProgress(growth, [], frozenset(), {})
    return _store(collection, growth, next_portion(collection, progress), created_by)


def grow(pool: Pool, *, created_by: User | None) -> Pool:
    """The portion after the last one of the series, chosen by what is judged of all of them.

    Raises `GrowingError` where nothing is left or somebody else was faster, and as `next_portion` does.
    """
    progress = progress_of(pool)
    pairs = next_portion(pool.collection, progress)
    if not pairs:
        raise GrowingError("Nothing is left: the whole pool is chosen.")
    last = growth_of(progress.portions[-1])
    growth = replace(last, n=last.n + 1, n_judged=len(progress.judged))
    return _store(pool.collection, growth, pairs, created_by)


def sweep_growing() -> int:
    """Queue the next portion of every pool whose last one is judged; how many. For the worker, now and then."""
    latest: dict[tuple[int, str], Pool] = {}
    for pool in growing_pools():
        key = (pool.collection_id, str(pool.origin["series"]))
        if key not in latest or pool.origin["n"] > latest[key].origin["n"]:
            latest[key] = pool
    return sum(_ask(pool) for pool in latest.values() if _is_due(pool))


def grow_in_job(run: JobRun) -> dict[str, object]:
    """The job: the next portion, unless the last one is not judged any more or another was made since."""
    pool = growing_pools().filter(pk=run.job.payload["pool"], collection=run.job.collection).first()
    if pool is None:
        raise JobRefusedError("The pool is not there any more.")
    run.report(done=0, total=1, message="choosing the next pairs")
    try:
        with transaction.atomic():
            run.fence()
            if not _is_due(pool):
                return {"pairs": 0}
            portion = grow(pool, created_by=None)
    except (GrowingError, FormatError, PackedError, ValueError) as reason:
        raise JobRefusedError(str(reason)) from reason
    return {"pool": portion.name, "pairs": portion.n_pairs}


def _is_due(pool: Pool) -> bool:
    """The last portion, all of it judged, and something left."""
    progress = progress_of(pool)
    return progress.portions[-1].pk == pool.pk and progress.n_waiting == 0 and progress.n_left > 0


@transaction.atomic
def _ask(pool: Pool) -> bool:
    """Queue it, once a portion: one that failed is left to people."""
    Pool.objects.select_for_update(no_key=True).get(pk=pool.pk)
    asked = Job.objects.filter(kind=JOB, collection=pool.collection, payload__pool=pool.pk)
    if asked.filter(state__in=[*LIVE, Job.State.FAILED]).exists():
        return False
    enqueue(JOB, collection=pool.collection, created_by=None, pool=pool.pk, about=pool.name)
    return True


def _store(collection: Collection, growth: Growth, pairs: Sequence[Pair], created_by: User | None) -> Pool:
    try:
        return create_pool(
            collection,
            name=_name(growth),
            pairs=_rows(pairs),
            problems=Problems("the next pairs"),
            origin=growth.to_origin(),
            created_by=created_by,
        )
    except TakenError as error:
        raise GrowingError(f"There is a pool called {_name(growth)} already.") from error


def _rows(pairs: Sequence[Pair]) -> list[PairRow]:
    return [PairRow(number, docno, 0) for number, docno in pairs]


def _name(growth: Growth) -> str:
    return f"{growth.series} {growth.n}"
