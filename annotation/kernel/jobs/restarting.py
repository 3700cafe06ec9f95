"""A worker that begins anew in its own process before it forks.

polars and torch compute in threads that a child does not get: a child of a process that has used
one of them waits for these threads for ever, once it uses it, too. Such a worker puts the job back,
and becomes a new worker that has used neither, by `exec`: the same process id, options and
environment.
"""

import logging
import os
import signal
import sys
from collections.abc import Callable

from django.db import connections

logger = logging.getLogger(__name__)

THREADED = frozenset({"polars", "torch"})
ENDING = (signal.SIGTERM, signal.SIGINT)  # tell a worker to end
MARK = "TOUCHSTONE_BEGUN_ANEW"  # in the environment of a worker that began anew, until it has looked at the queue


def has_threads() -> bool:
    """Whether this process has loaded what computes in threads of its own."""
    return not THREADED.isdisjoint(sys.modules)


def is_worker() -> bool:
    """Whether this process is a worker and nothing else, as a test that calls the command is not."""
    return sys.argv[1:2] == ["worker"]


def begin_anew(stopping: Callable[[], bool]) -> None:
    """Returns only where the worker is `stopping`. Raises `RuntimeError` where to begin anew did not help."""
    if os.environ.get(MARK):
        raise RuntimeError("The worker has begun anew, and polars or torch is loaded before its first job again.")
    connections.close_all()
    sys.stdout.flush()
    sys.stderr.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # until the new worker hears them
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)  # threads do not block them: the process ends, which has no job now
    if stopping():
        hear_ending()
        return
    logger.info("the worker begins anew, to do a job apart from what computes in threads")
    os.environ[MARK] = "1"
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 -- itself


def hear_ending() -> None:
    """For a worker that has set its handlers: what came while it began anew comes now."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def has_begun() -> None:
    """The worker has looked at the queue: it may begin anew again."""
    os.environ.pop(MARK, None)
