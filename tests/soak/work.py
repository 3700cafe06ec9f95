"""Jobs that leave a mark in the audit log, in a fenced transaction as a job should."""

import os
import signal
import time

from django.db import transaction

from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRun

STEPS = 60  # of a twentieth of a second


def mark(run: JobRun) -> None:
    with transaction.atomic():
        run.fence()
        record_audit("marked", actor=None, collection=None, subject=run.job.token, attempt=run.attempt)


def mark_here(run: JobRun) -> None:
    mark(run)


def mark_slowly(run: JobRun) -> None:
    for step in range(STEPS):
        run.report(done=step, total=STEPS, message="slowly")
        time.sleep(0.05)
    mark(run)


def die(run: JobRun) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
