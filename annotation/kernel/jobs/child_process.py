"""A job in a child process, watched by the worker: lease, stop, cancel, time; and how the child ended."""

import logging
import os
import select
import signal
import time
from contextlib import suppress
from datetime import datetime
from enum import Enum

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils.module_loading import import_string

from annotation.kernel.jobs.attempt import JobRun, renewal
from annotation.kernel.jobs.child import OUT_OF_MEMORY, start_child
from annotation.kernel.jobs.limits import Limits
from annotation.kernel.jobs.running import cancelled, failed, put_back, refused
from annotation.models import Job

logger = logging.getLogger(__name__)

LOOK = 0.2  # seconds between two checks of the child; its end is noticed at once
ASK = 2.0  # seconds between two reads of the job's row
GRACE = 5.0  # seconds in which a cancelled job may end by itself
PATIENCE = 20.0  # seconds that a job has to reach its next report when its worker is told to end


class Why(Enum):
    """Why the worker ends its child."""

    TOO_LONG = "time"
    STOPPED = "stop"
    CANCELLED = "cancel"
    LOST = "lost"


def run_apart(run: JobRun, limits: Limits) -> Job:
    """As `run_job`, in a child process under the limits. What exceeds them is refused, a crash is tried again."""
    with suppress(ImportError):  # loaded once, for this child and the next ones; a missing module fails in the child
        import_string(settings.TOUCHSTONE_JOBS[run.job.kind])
    watch = _Watch(run, limits)
    status = watch.until_ended()
    if status and run.mine().exists():
        _write_down(run, limits, watch.why, status)
    run.job.refresh_from_db()
    return run.job


def _write_down(run: JobRun, limits: Limits, why: Why | None, status: int) -> None:
    """Record how a child ended that could not record it itself."""
    logger.warning("job %s (%s): its process ended with status %s", run.job.token, run.job.kind, status)
    if why is Why.TOO_LONG:
        refused(run, limits.time_words)
    elif why is Why.CANCELLED:
        cancelled(run)
    elif why is Why.STOPPED:
        put_back(run)
    elif status == OUT_OF_MEMORY:
        refused(run, limits.memory_words)
    else:
        failed(run, _ending(status))


def _ending(status: int) -> str:
    if status > 0:
        return f"The process of the job ended with status {status}."
    with suppress(ValueError):
        return f"The process of the job was ended by signal {-status} ({signal.Signals(-status).name})."
    return f"The process of the job was ended by signal {-status}."


class _Watch:
    """The worker watches one child."""

    def __init__(self, run: JobRun, limits: Limits) -> None:
        self.run = run
        self.pid, self.ended = start_child(run, limits)
        now = time.monotonic()
        self.ends_at = now + limits.seconds
        self.renew_at = now + renewal()
        self.ask_at = now + ASK
        self.why: Why | None = None
        self.kill_at = float("inf")

    def until_ended(self) -> int:
        """Wait for the child; its exit status, negative for a signal. It does not outlive this call."""
        try:
            while not select.select([self.ended], [], [], LOOK)[0]:
                self._check(time.monotonic())
        except BaseException:
            os.kill(self.pid, signal.SIGKILL)
            raise
        finally:
            os.close(self.ended)
            _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status)

    def _check(self, now: float) -> None:
        if self.why is None:
            self._check_clock(now)
        if now >= self.ask_at or now >= self.renew_at:
            self._check_row(now)
        if now >= self.kill_at:
            os.kill(self.pid, signal.SIGKILL)

    def _check_clock(self, now: float) -> None:
        if now >= self.ends_at:
            self._end(Why.TOO_LONG, now)
        elif self.run.stopping():
            os.kill(self.pid, signal.SIGTERM)
            self._end(Why.STOPPED, now + PATIENCE)

    def _check_row(self, now: float) -> None:
        """A database that cannot be reached is ignored here: the child meets the error itself."""
        try:
            self.ask_at = now + ASK
            self._check_cancel(self.run.mine().values_list("cancel_asked_at").first(), now)
            if now >= self.renew_at:
                self.renew_at = now + renewal()
                self.run.renew()
        except DatabaseError:
            logger.warning("job %s: the lease could not be renewed", self.run.job.token, exc_info=True)
            connection.close()

    def _check_cancel(self, asked: tuple[datetime | None] | None, now: float) -> None:
        if self.why is None and asked is None:  # lost; or just ended well, and the process is about to follow
            self._end(Why.LOST, now + GRACE)
        elif self.why is None and asked != (None,):
            self._end(Why.CANCELLED, now + GRACE)

    def _end(self, why: Why, kill_at: float) -> None:
        self.why, self.kill_at = why, kill_at
