"""The queue: adding a job, claiming one under a lease, cancelling one."""

import logging
from datetime import datetime

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet

from annotation.kernel import clock
from annotation.kernel.jobs.attempt import JobRun, log, next_lease
from annotation.kernel.jobs.notifying import tell_end
from annotation.models import Collection, Job, User
from annotation.text.counted import counted

logger = logging.getLogger(__name__)

LIVE = (Job.State.QUEUED, Job.State.RUNNING)
LOST = "the worker was lost"
ALL_JOBS = Q()
SHORT = "short"  # in the payload of a job that takes seconds
SHORT_JOBS = Q(**{f"payload__{SHORT}": True})


def enqueue(kind: str, *, collection: Collection | None, created_by: User | None, **payload: object) -> Job:
    """Queue a job. Call it inside the transaction that causes it. `about`, in the payload, names what it works on."""
    if kind not in settings.TOUCHSTONE_JOBS:
        raise ValueError(f"No job of kind {kind!r}.")
    job = Job.objects.create(kind=kind, collection=collection, created_by=created_by, payload=payload)
    logger.info("job %s (%s) queued", job.token, kind, extra={"job_id": job.token, "job_kind": kind})
    return job


def claim_job(*, among: Q = ALL_JOBS) -> JobRun | None:
    """Lease the oldest job that is queued or whose worker was lost; None when there is none."""
    while _waiting(clock.now()).filter(among).exists():  # outside a transaction: polling takes no lock on SQLite
        with transaction.atomic():
            moment = clock.now()
            waiting = _waiting(moment).filter(among)
            if connection.features.has_select_for_update_skip_locked:
                waiting = waiting.select_for_update(skip_locked=True)
            job = waiting.first()
            if job is None:
                return None
            if job.state == Job.State.RUNNING:
                log(job, job.attempt, "Lost: the worker fell silent and its lease ran out.")
            if not _is_over(job, moment):
                return leased(job, moment)
    return None


def end_lost_jobs() -> None:
    """End the lost jobs that are not tried again, such as those of a command that was killed.

    A worker ends them in passing; a command calls this, as there may be no worker.
    """
    without_retry = Q(cancel_asked_at__isnull=False) | Q(attempt__gte=F("max_attempts"))
    claim_job(among=Q(without_retry, state=Job.State.RUNNING))


def leased(job: Job, moment: datetime) -> JobRun:
    """The job in its next attempt. Inside a transaction that holds the row."""
    Job.objects.filter(pk=job.pk).update(
        state=Job.State.RUNNING,
        attempt=F("attempt") + 1,
        started_at=moment,
        heartbeat_at=moment,
        lease_until=next_lease(),
    )
    job.refresh_from_db()
    log(job, job.attempt, f"Attempt {job.attempt} began.")
    return JobRun(job, job.attempt)


def ask_cancel(job: Job, *, actor: User | None = None) -> bool:
    """Stop a job: at once if it waits, at its next report if it runs. False when it has already ended."""
    moment = clock.now()
    line = f"Cancelling was asked for by {actor.username}." if actor else "Cancelling was asked for."
    here = Job.objects.filter(pk=job.pk)
    with transaction.atomic():
        waiting = here.filter(state=Job.State.QUEUED)
        if waiting.update(state=Job.State.CANCELLED, finished_at=moment, cancel_asked_at=moment):
            log(job, job.attempt, line)
            log(job, job.attempt, "Cancelled.")
            return True
        running = here.filter(state=Job.State.RUNNING)
        if running.filter(cancel_asked_at__isnull=True).update(cancel_asked_at=moment):
            log(job, job.attempt, line)
        return running.exists()


def _waiting(moment: datetime) -> "QuerySet[Job]":
    lost = Q(state=Job.State.RUNNING, lease_until__lt=moment)
    return Job.objects.filter(lost | Q(state=Job.State.QUEUED)).order_by("id")


def _is_over(job: Job, moment: datetime) -> bool:
    """Whether a lost job is not tried again; if so, it is ended here."""
    if job.cancel_asked_at:
        state, error, line = Job.State.CANCELLED, "", "Cancelled."
    elif job.attempt >= job.max_attempts:
        state, error = Job.State.FAILED, _gave_up(job)
        line = error
    else:
        return False
    Job.objects.filter(pk=job.pk).update(state=state, error=error, lease_until=None, finished_at=moment)
    log(job, job.attempt, line)
    tell_end(job, state)
    return True


def _gave_up(job: Job) -> str:
    """Earlier attempts may have failed for another reason; the last of those is kept in the message."""
    if job.attempt == 1:
        return f"Gave up: {LOST}."
    if job.error:
        return f"Gave up after {counted(job.attempt, 'attempt')}: {LOST} in the last one; before that: {job.error}"
    return f"Gave up after {counted(job.attempt, 'attempt')}: {LOST} each time."
