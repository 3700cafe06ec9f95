"""What to judge next of stored runs against a snapshot: at once, or by a job where that takes long; a pool of it."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.http import urlencode

from annotation.corpus.steps.pooling import create_pool
from annotation.formats.pairs import PairRow
from annotation.formats.problems import Problems
from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue
from annotation.kernel.jobs.latest import LatestJobs, jobs_of_kind, latest_jobs
from annotation.models import Job, Pool, Snapshot, User
from evaluation.engine.judge_next import MOST_ROWS, JudgeNext, TooMuchError
from evaluation.engine.packed import PackedError
from evaluation.formats.judge_next import as_facts, of_facts
from evaluation.models import RankedPairs, Run
from evaluation.pooling.read import AT_ONCE, NextPairs, kept_pairs, key_of, ranked_pairs, takes_long

RANK = "rank_pairs"
LONG = "That takes longer than an answer may: ask for it to be ranked first, and for this once the job is done."


class TakesLongError(ValueError):
    """What is asked for is a job's, and none has done it yet."""


@dataclass(frozen=True)
class NextAnswer:
    """The pairs, as far as they are known at once; else `jobs` that were asked the same."""

    ranked: JudgeNext | None
    jobs: LatestJobs


def answer_next(asked: NextPairs) -> NextAnswer:
    """Raises as `next_pairs`, but for what takes long."""
    try:
        return NextAnswer(next_pairs(asked), LatestJobs(None, None))
    except TakesLongError:
        return NextAnswer(None, latest_jobs(_jobs_that_rank(asked)))


def next_pairs(asked: NextPairs, *, waits: bool = False) -> JudgeNext:
    """As the command `judge_next` ranks them: what a job has kept, else at once; whoever `waits` gets it in any case.

    Raises `TakesLongError`, `ValueError` as `judge_next` does, and `PackedError` for a run of an older form.
    """
    kept = kept_pairs(asked)
    if kept:
        return of_facts(kept.result)
    if waits:
        return ranked_pairs(asked, most_rows=MOST_ROWS)
    if takes_long(asked):
        raise TakesLongError(LONG)
    try:
        return ranked_pairs(asked, most_rows=AT_ONCE)
    except TooMuchError as reason:
        raise TakesLongError(LONG) from reason


def ask_next(asked: NextPairs, *, created_by: User | None) -> Job:
    """Queue the ranking; what was ranked before is not ranked anew."""
    snapshot = asked["snapshot"]
    same = {name: asked[name] for name in ("measure", "depth", "best", "pairs")}
    payload = {"snapshot": snapshot.pk, "runs": [run.pk for run in asked["runs"]], "key": key_of(asked), "asked": same}
    with transaction.atomic():
        record_audit(
            "ranking of pairs asked for",
            actor=created_by,
            collection=snapshot.collection,
            subject=snapshot.name,
            n_runs=len(asked["runs"]),
        )
        return enqueue(RANK, collection=snapshot.collection, created_by=created_by, about=snapshot.name, **payload)


def rank_in_job(attempt: JobRun) -> dict[str, object]:
    """The job."""
    payload = attempt.job.payload
    snapshot = Snapshot.objects.select_related("collection", "scale").get(pk=payload["snapshot"])
    by_pk = Run.objects.filter(collection=snapshot.collection_id).in_bulk(payload["runs"])
    if len(by_pk) < len(payload["runs"]):
        raise JobRefusedError("A run is not there any more.")
    same = payload["asked"]
    asked = NextPairs(
        snapshot=snapshot,
        runs=[by_pk[pk] for pk in payload["runs"]],
        measure=same["measure"],
        depth=same["depth"],
        best=same["best"],
        pairs=same["pairs"],
    )
    if kept_pairs(asked) is None:
        _store(attempt, asked)
    return {"address": address_of(asked), "runs": len(by_pk)}


def address_of(asked: NextPairs) -> str:
    """As the page is asked for them."""
    tags = [run.tag for run in asked["runs"]]
    named = {"first": tags[0], "second": tags[1]} if len(tags) == 2 else {}
    question: dict[str, str | int] = {name: asked[name] for name in ("measure", "depth", "best", "pairs")}
    return urlencode({**question, "snapshot": asked["snapshot"].name, **named})


def _store(attempt: JobRun, asked: NextPairs) -> None:
    attempt.report(done=0, total=0, message=f"Reading {len(asked['runs'])} runs")
    try:
        ranked = ranked_pairs(asked, most_rows=MOST_ROWS, watch=attempt.progress)
    except (PackedError, ValueError) as reason:
        raise JobRefusedError(f"{str(reason)[0].upper()}{str(reason)[1:]}.") from reason
    columns = {"result": as_facts(ranked), "made_at": timezone.now()}
    with transaction.atomic():
        attempt.fence()
        RankedPairs.objects.update_or_create(snapshot=asked["snapshot"], key=key_of(asked), defaults=columns)


def _jobs_that_rank(asked: NextPairs) -> "QuerySet[Job]":
    snapshot = asked["snapshot"]
    return jobs_of_kind(snapshot.collection, RANK, snapshot).filter(payload__key=key_of(asked))


def create_pool_of_next(asked: NextPairs, *, name: str, created_by: User | None, waits: bool = False) -> Pool:
    """Of the pairs that `next_pairs` gives, in their order within each topic.

    Raises as `next_pairs` does; `FormatError` with the documents that the collection does not have, or where all is
    judged; `TakenError` for a name that was just taken.
    """
    ranked = next_pairs(asked, waits=waits)
    return create_pool(
        asked["snapshot"].collection,
        name=name,
        pairs=[PairRow(pair.number, pair.docno, 0) for pair in ranked.pairs],
        problems=Problems("the next pairs"),
        origin={
            "kind": "next",
            "runs": list(ranked.tags),
            "measure": ranked.measure,
            "depth": ranked.depth,
            "snapshot": asked["snapshot"].name,
        },
        created_by=created_by,
    )
