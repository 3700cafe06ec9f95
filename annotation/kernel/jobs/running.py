"""Runs a claimed job and records how it ended."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils.module_loading import import_string

from annotation.kernel import clock
from annotation.kernel.installation import NO_FILES, sees_files
from annotation.kernel.jobs.attempt import (
    DONE,
    FilesAwayError,
    JobCancelledError,
    JobRefusedError,
    JobRun,
    LeaseLostError,
    WorkerStoppingError,
    storable,
)
from annotation.kernel.jobs.heartbeat import heartbeat
from annotation.kernel.jobs.notifying import tell_end
from annotation.kernel.jobs.queue import enqueue, leased
from annotation.kernel.log_context import of_job
from annotation.kernel.store import DamagedError, MissingError
from annotation.models import Collection, Job, User
from annotation.text.counted import counted
from annotation.text.watch import Watch, say_nothing

logger = logging.getLogger(__name__)

LONGEST_ERROR = 5000


def work_here(
    kind: str,
    *,
    collection: Collection | None,
    created_by: User | None,
    watch: Watch = say_nothing,
    **payload: object,
) -> Job:
    """Queue a job and do its work in this process, tried once: for commands. No worker ever sees it waiting."""
    return do_here(begin_here(kind, collection=collection, created_by=created_by, **payload), watch=watch)


def begin_here(kind: str, *, collection: Collection | None, created_by: User | None, **payload: object) -> JobRun:
    """A job of this process, begun: in the transaction of what it works on, neither is ever without the other."""
    with transaction.atomic():
        job = enqueue(kind, collection=collection, created_by=created_by, **payload)
        Job.objects.filter(pk=job.pk).update(max_attempts=1)
        return replace(leased(job, clock.now()), may_go_back=False)


def do_here(run: JobRun, *, watch: Watch = say_nothing) -> Job:
    """Do the work of a job that `begin_here` began."""
    run.watch = watch
    try:
        with of_job(run.job.token), heartbeat(run):
            return run_job(run)
    except KeyboardInterrupt:
        cancelled(run)
        raise


def run_job(run: JobRun) -> Job:
    """Do the work of a claimed job and record how it ended.

    In a process of its own `MemoryError` is raised, for the worker that watches the process to record.
    """
    try:
        work: Callable[[JobRun], dict[str, Any] | None] = import_string(settings.TOUCHSTONE_JOBS[run.job.kind])
        result = work(run)
    except LeaseLostError:
        logger.warning("job %s (%s): lost the lease of attempt %s", run.job.token, run.job.kind, run.attempt)
        run.log("Left alone: another worker has taken the job over.")
    except JobCancelledError:
        cancelled(run)
    except WorkerStoppingError:
        put_back(run)
    except Exception as fault:
        if run.limits and wants_memory(fault):
            raise MemoryError from fault
        _fallen(run, fault)
    else:
        _worked(run, result or {})
    run.job.refresh_from_db()
    return run.job


def _worked(run: JobRun, result: dict[str, Any]) -> None:
    if sees_files() or _has_finished(run):
        _end(run, Job.State.DONE, DONE, result=result)
    else:
        put_back(run, reason=NO_FILES)


def _fallen(run: JobRun, fault: Exception) -> None:
    """What it met on a machine that does not see the stored files says nothing about the job."""
    if isinstance(fault, FilesAwayError) or not sees_files():
        logger.warning("job %s (%s): %s", run.job.token, run.job.kind, NO_FILES, exc_info=fault)
        put_back(run, reason=NO_FILES)
    elif isinstance(fault, JobRefusedError | DamagedError | MissingError):
        refused(run, str(fault))
    else:
        logger.error("job %s (%s) failed in attempt %s", run.job.token, run.job.kind, run.attempt, exc_info=fault)
        failed(run, f"{type(fault).__name__}: {fault}".removesuffix(": "))


def wants_memory(fault: BaseException | None) -> bool:
    """Whether the error is a lack of memory, or was caused by one."""
    while fault is not None:
        if isinstance(fault, MemoryError) or "can't start new thread" in str(fault):
            return True
        fault = fault.__cause__ or fault.__context__
    return False


def cancelled(run: JobRun) -> None:
    _end(run, Job.State.CANCELLED, "Cancelled.")


def refused(run: JobRun, reason: str) -> None:
    """It would end the same way each time: no further attempt."""
    _end(run, Job.State.FAILED, f"Refused: {reason}", error=reason)


def put_back(run: JobRun, *, reason: str = "the worker was told to end") -> None:
    """Into the queue again, as if this attempt had not been. The job of a command ends where the command does."""
    if not run.may_go_back:
        refused(run, reason)
        return
    _requeue(run, f"Put back into the queue: {reason}.", max_attempts=F("max_attempts") + 1)


def failed(run: JobRun, reason: str) -> None:
    """Try again, or give up after the last attempt."""
    if run.attempt < run.job.max_attempts:
        _requeue(run, f"Failed: {reason}", error=storable(reason)[:LONGEST_ERROR])
    else:
        _end(
            run,
            Job.State.FAILED,
            f"Failed: {reason}",
            f"Gave up after {counted(run.attempt, 'attempt')}.",
            error=reason,
        )


def _requeue(run: JobRun, line: str, **columns: object) -> None:
    with transaction.atomic():
        if run.mine().update(state=Job.State.QUEUED, lease_until=None, **columns):
            run.log(line)


def _end(run: JobRun, state: Job.State, *lines: str, error: str = "", result: dict[str, Any] | None = None) -> None:
    with transaction.atomic():
        ended = run.mine().update(
            state=state,
            error=storable(error)[:LONGEST_ERROR],
            result=result or {},
            lease_until=None,
            finished_at=clock.now(),
        )
        if not ended and _has_finished(run):
            return
        if ended:
            tell_end(run.job, state)
        for line in lines if ended else ["Left alone: another worker has taken the job over."]:
            run.log(line)


def _has_finished(run: JobRun) -> bool:
    """Whether this attempt has already been recorded as done."""
    return Job.objects.filter(pk=run.job.pk, attempt=run.attempt, state=Job.State.DONE).exists()
