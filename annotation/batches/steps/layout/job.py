"""Laying a batch out in the worker: planning a large batch takes longer than a request should."""

from django.db import transaction

from annotation.batches.steps.layout.laying_out import LayoutError, lay_out, require_draft
from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue
from annotation.kernel.jobs.latest import LatestJobs, jobs_of_kind, latest_jobs
from annotation.models import Batch, Job, User

KIND = "lay_out"


@transaction.atomic
def start_layout(batch: Batch, *, created_by: User) -> Job:
    """Queue it; while it is under way, the same job. Raises `LayoutError` for a batch that is no draft."""
    require_draft(batch)
    return layout_jobs(batch).live or enqueue(
        KIND, collection=batch.collection, created_by=created_by, batch=batch.token
    )


def layout_jobs(batch: Batch) -> LatestJobs:
    return latest_jobs(jobs_of_kind(batch.collection, KIND).filter(payload__batch=batch.token))


def run_layout(run: JobRun) -> dict[str, int]:
    """Job: lay out the draft that `start_layout` was given, and be done, in one transaction."""
    run.report(done=0, total=1, message="Planning")
    batch = Batch.objects.filter(token=run.job.payload["batch"]).first()
    if batch is None:
        raise JobRefusedError("The batch is gone.")
    try:
        with transaction.atomic():
            run.fence()
            result = {"items": lay_out(batch, actor=run.job.created_by).n_items}
            run.finish(result)
    except LayoutError as error:
        raise JobRefusedError(str(error)) from error
    return result
