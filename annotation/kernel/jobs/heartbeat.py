"""Renews the lease of a job that the worker does itself, during long steps without a report."""

import logging
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

from django.db import DatabaseError, connection

from annotation.kernel.jobs.attempt import JobRun, renewal

logger = logging.getLogger(__name__)

LONGEST_STEP = 30 * 60  # seconds without a report, after which the job counts as hung and its lease may run out


@contextmanager
def heartbeat(run: JobRun) -> Generator[None, None, None]:
    """While the block runs, a thread with a connection of its own renews the lease."""
    if connection.in_atomic_block:  # only a test works inside one, and no other connection sees what it does
        yield
        return
    over = threading.Event()
    thread = threading.Thread(target=_beat, args=(run, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(run: JobRun, over: threading.Event) -> None:
    try:
        while not over.wait(renewal()) and time.monotonic() - run.reported_at < LONGEST_STEP:
            if not _renewed(run):
                return
    finally:
        connection.close()


def _renewed(run: JobRun) -> bool:
    """Whether to go on. After an error of the database the next beat tries again."""
    try:
        return run.renew()
    except DatabaseError:
        logger.warning("job %s: the lease could not be renewed", run.job.token, exc_info=True)
        connection.close()
        return True
