"""One attempt at a job, as its function sees it, and the errors that end it."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet

from annotation.kernel import clock
from annotation.kernel.installation import sees_files
from annotation.kernel.jobs.limits import Limits
from annotation.kernel.jobs.notifying import tell_end
from annotation.models import Job, JobEvent
from annotation.text.watch import Watch, say_nothing

LONGEST_LINE = 1000
REPORT_AFTER = 0.3  # seconds
NUMBERS = re.compile(r"\d+")
DONE = "Done."


class JobCancelledError(Exception):
    """Someone asked for the job to stop."""


class LeaseLostError(Exception):
    """Another worker has taken the job over; this one must leave everything as it is."""


class JobRefusedError(Exception):
    """The job cannot succeed however often it is tried; the message says why."""


class FilesAwayError(Exception):
    """This machine does not see the stored files of the installation (any more): another worker may."""


class WorkerStoppingError(Exception):
    """The worker is asked to end: the job goes back into the queue."""


def _keep_going() -> bool:
    return False


@dataclass
class JobRun:
    """One attempt at a job, as its function sees it.

    `stopping` says whether the worker is asked to end; `watch` is called with every progress report. `limits` are
    set when the attempt runs in a process of its own. `may_go_back`: into the queue, for another worker; the job of a
    command may not.
    """

    job: Job
    attempt: int
    stopping: Callable[[], bool] = _keep_going
    watch: Watch = say_nothing
    limits: Limits | None = None
    may_go_back: bool = True
    reported_at: float = field(default_factory=time.monotonic)
    stage: str = ""

    def report(self, *, done: int, total: int, message: str = "") -> None:
        """Progress and heartbeat in one. Raises `JobCancelledError`, `LeaseLostError` or `WorkerStoppingError`."""
        self._go_on(done=done, total=total, message=message[:500], heartbeat_at=clock.now())
        self.reported_at = time.monotonic()
        self.watch(done, total, message)
        if self.stopping():
            raise WorkerStoppingError

    def progress(self, done: int, total: int, message: str) -> None:
        """As `report`, unless the last report has only just been, and was of the same but for its numbers: for whoever
        tells of every step."""
        before, self.stage = self.stage, NUMBERS.sub("", message)
        if self.stage != before or time.monotonic() - self.reported_at > REPORT_AFTER:
            self.report(done=done, total=total, message=f"{message[:1].upper()}{message[1:]}")

    def fence(self) -> None:
        """First in each transaction that writes: go on only while the job is still ours. Raises as `report` does.

        Until the transaction ends nobody else can take the job over.
        """
        if not connection.in_atomic_block:
            raise RuntimeError("fence() belongs inside the transaction it guards")
        self._go_on()

    def finish(self, result: dict[str, Any] | None = None) -> None:
        """Last in the transaction that makes the work visible: with it the job is done. Raises as `fence` does, and
        `FilesAwayError` where what it has stored may lie on this machine alone.

        So nothing can come between the two: no kill, no cancelling, no lease that runs out.
        """
        self.fence()
        if not sees_files():
            raise FilesAwayError
        self.mine().update(state=Job.State.DONE, result=result or {}, lease_until=None, finished_at=clock.now())
        self.log(DONE)
        tell_end(self.job, Job.State.DONE)

    def log(self, text: str) -> None:
        """Add a line to the job's log, for the people who look at its page."""
        log(self.job, self.attempt, text)

    def renew(self) -> bool:
        """Renew the lease without reporting progress. False if the job is no longer this attempt's.

        A locked row is skipped if the database can do so: the attempt's own transaction holds the lock, and while it
        does nobody can take the job over.
        """
        with transaction.atomic():
            can_skip = connection.features.has_select_for_update_skip_locked
            if can_skip and not self.mine().select_for_update(skip_locked=True).values_list("pk"):
                return self.mine().exists()
            return bool(self.mine().update(lease_until=next_lease()))

    def _go_on(self, **progress: object) -> None:
        mine = self.mine().filter(cancel_asked_at__isnull=True)
        if not mine.update(lease_until=next_lease(), **progress):
            raise JobCancelledError if self.mine().exists() else LeaseLostError

    def mine(self) -> "QuerySet[Job]":
        """The job's row while this attempt holds it, else nothing: what every update of it goes through."""
        return Job.objects.filter(pk=self.job.pk, attempt=self.attempt, state=Job.State.RUNNING)


def log(job: Job, attempt: int, text: str) -> None:
    """A line of the log. If it reports a change of the job, write it in the transaction of that change."""
    line = storable(text)
    if len(line) > LONGEST_LINE:
        line = line[: LONGEST_LINE - 1] + "…"
    JobEvent.objects.create(job=job, attempt=attempt, text=line)


def storable(text: str) -> str:
    """The message of an error as every database takes it: it may quote a piece of a file."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def next_lease() -> datetime:
    return clock.now() + timedelta(seconds=settings.TOUCHSTONE_LEASE)


def renewal() -> float:
    """Seconds between two renewals: a lease outlives five that were missed."""
    return float(settings.TOUCHSTONE_LEASE) / 6
