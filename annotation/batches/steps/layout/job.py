"""Laying a batch out in the worker: that of a large batch takes longer than a request should."""

from functools import partial
from typing import Any

from django.db import transaction

from annotation.batches.steps.layout.laying_out import lay_out_in_portions
from annotation.batches.steps.layout.part import clear_unfinished_layout, unfinished_layouts
from annotation.batches.steps.layout.refusals import LayoutError, require_draft
from annotation.kernel.jobs import JobCancelledError, JobRefusedError, JobRun, begin_here, end_lost_jobs, enqueue
from annotation.kernel.jobs.latest import LatestJobs, jobs_of_kind, latest_jobs
from annotation.models import Batch, Job, User

KIND = "lay_out"


@transaction.atomic
def start_layout(batch: Batch, *, created_by: User) -> Job:
    """Queue it; while it is under way, the same job. Raises `LayoutError` for a batch that is no draft."""
    require_draft(batch)
    return layout_jobs(batch).live or enqueue(
        KIND, collection=batch.collection, created_by=created_by, batch=batch.token, about=batch.name
    )


@transaction.atomic
def begin_layout(batch: Batch) -> JobRun:
    """The same in the process of a command. Raises `LayoutError` also where it is under way."""
    require_draft(batch)
    if layout_jobs(batch).live is not None:
        raise LayoutError("This batch is being laid out already.")
    return begin_here(KIND, collection=batch.collection, created_by=None, batch=batch.token)


def layout_jobs(batch: Batch) -> LatestJobs:
    return latest_jobs(jobs_of_kind(batch.collection, KIND).filter(payload__batch=batch.token))


def run_layout(run: JobRun) -> dict[str, Any]:
    """Job: lay out the draft that `start_layout` was given. The step that makes it visible ends the job with it.

    Cancelled or refused, it leaves nothing. Killed, it goes on from where it was, in its next attempt.
    """
    run.report(done=0, total=1, message="Planning")
    batch = Batch.objects.filter(token=run.job.payload["batch"]).first()
    if batch is None:
        raise JobRefusedError("The batch is gone.")
    try:
        return {"items": lay_out_in_portions(batch, actor=run.job.created_by, watch=run).n_items}
    except LayoutError as error:
        clear_unfinished_layout(batch, partial(_is_held, run))
        raise JobRefusedError(str(error)) from error
    except JobCancelledError:
        clear_unfinished_layout(batch, partial(_is_held, run))
        raise


def _is_held(run: JobRun) -> bool:
    """Also once cancelling was asked for. Until the transaction ends no other attempt takes the job over."""
    return bool(run.mine().select_for_update(no_key=True).values_list("pk"))


def sweep_layouts() -> int:
    """Clear what layouts have left whose job has ended without them (given up, cancelled while its worker was gone);
    of how many drafts."""
    drafts = unfinished_layouts()
    if drafts:
        end_lost_jobs()
    return sum(_swept(batch) for batch in drafts)


def _swept(batch: Batch) -> bool:
    if layout_jobs(batch).live is not None:
        return False
    clear_unfinished_layout(batch, lambda: layout_jobs(batch).live is None)
    return True
