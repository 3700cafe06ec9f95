"""The process that sees to the long work: what may grow or break is done in a child process, the rest in itself."""

import argparse
import logging
import signal
import time
from collections.abc import Callable, Mapping
from types import FrameType, MappingProxyType

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone
from django.utils.module_loading import import_string

from annotation.batches.steps.overlap import sweep_overlap
from annotation.exchange.steps.bundles import tidy_bundles
from annotation.exchange.steps.deletion import sweep_deletions
from annotation.exchange.steps.importing import sweep_imports, waits_its_turn
from annotation.gold.steps.feedback import sweep_feedback
from annotation.kernel import counters
from annotation.kernel.commands.base import DONE, REFUSED, STOPPED, TouchstoneCommand
from annotation.kernel.installation import NO_FILES, sees_files
from annotation.kernel.jobs import (
    ALL_JOBS,
    SHORT_JOBS,
    JobRun,
    claim_job,
    heartbeat,
    limits_of,
    put_back,
    run_apart,
    run_job,
)
from annotation.kernel.jobs.restarting import ENDING, begin_anew, has_begun, has_threads, hear_ending, is_worker
from annotation.kernel.kept_answers import sweep_kept_answers
from annotation.kernel.log_context import of_job
from annotation.kernel.memory import SMALL_STEP, give_back
from annotation.kernel.store import tidy_files
from annotation.management.giving_way import give_way
from annotation.management.joining import require_joined
from annotation.models import Job
from annotation.trust.steps.rules import sweep_rules

logger = logging.getLogger(__name__)

PAUSE = 0.5  # seconds between two looks at an empty queue
LONGEST_PAUSE = 10.0  # seconds between two tries at a database that is away
AFTER_FAULT = 60.0  # seconds at least until something that failed is looked at again
JOB_BOUNDS = (0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0)  # seconds


def _sweep_feedback() -> None:
    """What has become due since, for batches that tell people how they did after some hours."""
    sweep_feedback(moment=timezone.now())


# What is looked at now and then, and after how many seconds again.
SWEEPS: tuple[tuple[float, Callable[[], object]], ...] = (
    (0.0, sweep_imports),
    (0.0, tidy_bundles),
    (3600.0, tidy_files),
    (3600.0, sweep_kept_answers),
    (3600.0, sweep_deletions),
    (300.0, _sweep_feedback),
    (20.0, sweep_overlap),  # open batches where some grades may still be in doubt: people may be waiting
    (120.0, sweep_rules),  # collections whose rules pause people by themselves
)


class Command(TouchstoneCommand):
    help = "Do the jobs of the queue, one after another, until it is told to end."
    examples = ("touchstone worker", "touchstone worker --once")
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "ended when it was told to, by SIGTERM or Ctrl-C; with --once: nothing was left to do",
            REFUSED: "not started: the stored files, the secret key or the clock of this machine are not the others'",
            STOPPED: "stopped by Ctrl-C before it began",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="do what is in the queue now, then end")
        parser.add_argument(
            "--short",
            action="store_true",
            help="do short jobs alone (small files), beside a worker that does all: they need not wait for long ones",
        )

    def handle(self, *, once: bool, short: bool, **_options: object) -> None:
        require_joined()
        if is_worker() and connection.vendor != "sqlite":  # there judging would wait longer for what it has locked
            give_way()
        self.stopping, self.pause, self.is_short, self.is_once = False, PAUSE, short, once
        of_settings = ((seconds, import_string(path)) for path, seconds in settings.TOUCHSTONE_SWEEPS.items())
        self.saw_files = True
        self.sweeps = (*SWEEPS, *of_settings)
        self.next_sweeps = [0.0] * len(self.sweeps)
        previous = {number: signal.signal(number, self._stop) for number in ENDING}
        hear_ending()
        try:
            while not self.stopping:
                if not self._work():
                    if once:
                        break
                    time.sleep(self.pause)
        finally:
            for number, action in previous.items():
                signal.signal(number, action)

    def _work(self) -> bool:
        """Do one job; False when there is none, or the database is away: then the next try is later each time."""
        try:
            if not connection.in_atomic_block:  # only a test works inside one
                close_old_connections()
            has_worked, self.pause = self._one_job(), PAUSE
            return has_worked
        except DatabaseError:
            logger.exception("the database does not answer")
            connection.close()
            self.pause = min(2 * self.pause, LONGEST_PAUSE)
            return False

    def _one_job(self) -> bool:
        if not self._sees_files():
            return False
        if not self.is_short:
            self._sweep()
        run = self._claimed()
        if run and is_worker() and has_threads() and limits_of(run.job):
            put_back(run, reason="the worker has to begin anew before it")
            begin_anew(lambda: self.stopping)
            return True
        has_begun()
        if run is None:
            return False
        run.stopping = lambda: self.stopping
        with of_job(run.job.token):
            job = _logged(run)
        if job.state != Job.State.DONE:
            _swept(sweep_imports)
        return True

    def _sees_files(self) -> bool:
        """Without the stored files no job can be done here. It is said once."""
        sees = sees_files()
        if not sees and self.saw_files:
            logger.error("No job is taken: %s.", NO_FILES)
        self.saw_files = sees
        return sees

    def _claimed(self) -> JobRun | None:
        """What waits for another import is left until that is through; told to end with the queue, it waits for it."""
        run = claim_job(among=(SHORT_JOBS if self.is_short else ALL_JOBS) & ~waits_its_turn())
        return claim_job() if run is None and self.is_once and not self.is_short else run

    def _sweep(self) -> None:
        for at, (seconds, sweep) in enumerate(self.sweeps):
            if time.monotonic() >= self.next_sweeps[at]:
                self.next_sweeps[at] = time.monotonic() + seconds
                if not _swept(sweep):
                    self.next_sweeps[at] = time.monotonic() + max(seconds, AFTER_FAULT)
                give_back(step=SMALL_STEP)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stopping = True


def _swept(sweep: Callable[[], object]) -> bool:
    """Whether it came to its end. For a fault in it no job has to wait; for a database that is away all have to."""
    try:
        sweep()
    except DatabaseError:
        raise
    except Exception:
        logger.exception("%s failed", sweep.__qualname__)
        return False
    return True


def _logged(run: JobRun) -> Job:
    logger.info("job %s (%s) attempt %s", run.job.token, run.job.kind, run.attempt)
    began = time.monotonic()
    job = _worked(run)
    seconds = time.monotonic() - began
    spent = {"job_kind": job.kind, "duration_ms": round(1000 * seconds, 1)}
    logger.info("job %s (%s) %s", job.token, job.kind, job.state, extra=spent)
    counters.add("touchstone_jobs_ended_total", kind=job.kind, state=job.state)
    counters.observe("touchstone_job_seconds", seconds, bounds=JOB_BOUNDS, kind=job.kind)
    return job


def _worked(run: JobRun) -> Job:
    """Inside a transaction, as in a test, no child process: it would not see what the transaction holds."""
    limits = limits_of(run.job)
    if limits and not connection.in_atomic_block:
        return run_apart(run, limits)
    with heartbeat(run):
        return run_job(run)
