"""Many runs compared in a job, where that takes longer than a page may; kept under the hash of what was asked."""

from dataclasses import asdict, dataclass
from functools import partial

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue
from annotation.kernel.jobs.latest import LatestJobs, jobs_of_kind, latest_jobs
from annotation.kernel.store import put
from annotation.models import Job, Snapshot, User
from evaluation.engine.comparison import Design
from evaluation.engine.many_runs import ManyRuns
from evaluation.engine.packed_comparison import pack_many
from evaluation.leaderboard.read.comparing import (
    ManyQuestion,
    kept_comparison,
    known_many,
    many_compared,
    require_comparable,
    require_finite,
)
from evaluation.models import Evaluation, RunsComparison

COMPARE = "compare_many_runs"


def ask_comparison(question: ManyQuestion, *, created_by: User | None) -> Job:
    """Queue it. Raises `ValueError` for fewer than two runs, a measure that cannot be compared or that a run lacks, and
    what would take a worker more than ten minutes."""
    if len(question.evaluations) < 2:
        raise ValueError("Choose at least two runs.")
    require_comparable(question.evaluations, question.measure)
    require_finite(question)
    payload = {
        "about": f"{question.snapshot.name}, {question.measure}",
        "snapshot": question.snapshot.pk,
        "key": question.key,
        "evaluations": [each.pk for each in question.evaluations],
        "measure": question.measure,
        "design": asdict(question.design),
        "seed": question.seed,
    }
    with transaction.atomic():
        return enqueue(COMPARE, collection=question.snapshot.collection, created_by=created_by, **payload)


@dataclass(frozen=True)
class ManyAnswer:
    """The comparison, as far as it is known at once; else `jobs` that were asked the same."""

    question: ManyQuestion
    many: ManyRuns | None
    jobs: LatestJobs


def answer_many(question: ManyQuestion) -> ManyAnswer:
    """Raises `ValueError` as `known_many` does."""
    many = known_many(question)
    return ManyAnswer(question, many, LatestJobs(None, None) if many else latest_jobs(_jobs_that_compare(question)))


def _jobs_that_compare(question: ManyQuestion) -> "QuerySet[Job]":
    jobs = jobs_of_kind(question.snapshot.collection, COMPARE, question.snapshot)
    return jobs.filter(payload__key=question.key)


def compare_in_job(attempt: JobRun) -> dict[str, object]:
    """The job. What is kept is not compared anew."""
    question = _question(attempt)
    if kept_comparison(question) is None:
        _store(attempt, question)
    return {"comparison": question.key, "runs": len(question.evaluations), "measure": question.measure}


def _question(attempt: JobRun) -> ManyQuestion:
    payload = attempt.job.payload
    snapshot = Snapshot.objects.get(pk=payload["snapshot"])
    rows = Evaluation.objects.filter(snapshot=snapshot, pk__in=payload["evaluations"]).select_related("run")
    question = ManyQuestion(snapshot, list(rows), payload["measure"], Design(**payload["design"]), payload["seed"])
    if question.key != payload["key"]:
        raise JobRefusedError("A run was evaluated anew or is not there any more: ask again.")
    return question


def _store(attempt: JobRun, question: ManyQuestion) -> None:
    attempt.report(done=0, total=0, message=f"Comparing {len(question.evaluations)} runs")
    try:
        many = many_compared(question, partial(attempt.progress, message=f"drawing for {question.measure}"))
    except ValueError as reason:
        raise JobRefusedError(str(reason)) from reason
    columns = {"measure": question.measure, "sha256": put(pack_many(many))}
    with transaction.atomic():
        attempt.fence()
        RunsComparison.objects.update_or_create(
            snapshot=question.snapshot,
            key=question.key,
            defaults={**columns, "made_at": timezone.now()},
        )
