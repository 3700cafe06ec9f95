"""The queue of long work: enqueue, claim, heartbeat, progress, log, finish. Leases and attempts fence lost workers.

What a kind of job does is named in `settings.TOUCHSTONE_JOBS` (kind → dotted path of a function
that takes a `JobRun`), so that either app may bring work without the other knowing. A job may be
run again after a crash: its function starts by clearing what an earlier attempt left, and calls
`fence` first in every transaction that writes. Kinds named in `settings.TOUCHSTONE_APART` are done
in a child process under limits; the others in the worker itself. `do_apart` gives any other step of
a worker a child.
"""

from annotation.kernel.jobs.attempt import (
    JobCancelledError,
    JobRefusedError,
    JobRun,
    LeaseLostError,
    WorkerStoppingError,
)
from annotation.kernel.jobs.child import do_apart
from annotation.kernel.jobs.child_process import run_apart
from annotation.kernel.jobs.heartbeat import heartbeat
from annotation.kernel.jobs.limits import Limits, limits_of
from annotation.kernel.jobs.queue import (
    ALL_JOBS,
    LIVE,
    SHORT,
    SHORT_JOBS,
    ask_cancel,
    claim_job,
    end_lost_jobs,
    enqueue,
)
from annotation.kernel.jobs.running import begin_here, do_here, put_back, run_job, work_here

__all__ = [
    "ALL_JOBS",
    "LIVE",
    "SHORT",
    "SHORT_JOBS",
    "JobCancelledError",
    "JobRefusedError",
    "JobRun",
    "LeaseLostError",
    "Limits",
    "WorkerStoppingError",
    "ask_cancel",
    "begin_here",
    "claim_job",
    "do_apart",
    "do_here",
    "end_lost_jobs",
    "enqueue",
    "heartbeat",
    "limits_of",
    "put_back",
    "run_apart",
    "run_job",
    "work_here",
]
