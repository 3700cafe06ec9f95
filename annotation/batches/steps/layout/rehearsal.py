"""The dry run of a draft, as pages and programs ask for it: at once, or in a job where planning
takes longer than a request should.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction

from annotation.batches.steps.layout.forecast import DryRun, PersonForecast
from annotation.batches.steps.layout.laying_out import dry_run
from annotation.batches.steps.layout.refusals import LayoutError, require_draft
from annotation.kernel.audit import newest_audit
from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue
from annotation.kernel.jobs.latest import LatestJobs, jobs_of_kind, latest_jobs
from annotation.models import Batch, Job, PoolPair, User

KIND = "plan_layout"
AT_ONCE = 10_000  # pairs: planned for 30 people in about a second, 100,000 for 50 in half a minute


def rehearsed(batch: Batch) -> DryRun | None:
    """Of a large draft what its last job found; None where none has looked since something changed in the collection,
    but for judgments."""
    if pairs_to_plan(batch) <= AT_ONCE:
        return dry_run(batch)
    planned = _jobs(batch).filter(state=Job.State.DONE, result__seen=newest_audit(batch.collection)).first()
    return _of_object(planned.result["dry_run"]) if planned else None


def pairs_to_plan(batch: Batch) -> int:
    return PoolPair.objects.filter(pool=batch.pool_id, topic__in=batch.topics.all()).count()


@transaction.atomic
def start_rehearsal(batch: Batch, *, created_by: User) -> Job:
    """Queue it; while it is under way, the same job. Raises `LayoutError` for a batch that is no draft."""
    require_draft(batch)
    live = rehearsal_jobs(batch).live
    return live or enqueue(
        KIND, collection=batch.collection, created_by=created_by, batch=batch.token, about=batch.name
    )


def rehearsal_jobs(batch: Batch) -> LatestJobs:
    return latest_jobs(_jobs(batch))


def run_rehearsal(run: JobRun) -> dict[str, Any]:
    """Job: plan the draft that `start_rehearsal` was given."""
    run.report(done=0, total=1, message="Planning")
    batch = Batch.objects.select_related("collection", "scale").filter(token=run.job.payload["batch"]).first()
    if batch is None:
        raise JobRefusedError("The batch is gone.")
    seen = newest_audit(batch.collection)
    try:
        require_draft(batch)
    except LayoutError as error:
        raise JobRefusedError(str(error)) from error
    return {"seen": seen, "dry_run": asdict(dry_run(batch))}


def _jobs(batch: Batch) -> Any:
    return jobs_of_kind(batch.collection, KIND).filter(payload__batch=batch.token)


def _of_object(stored: Mapping[str, Any]) -> DryRun:
    people = tuple(PersonForecast(**person) for person in stored["people"])
    words = {name: tuple(stored[name]) for name in ("warnings", "errors")}
    return DryRun(**{**stored, **words, "people": people})
