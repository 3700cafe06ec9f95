"""A worker that begins anew in its own process before it forks.

polars and torch compute in threads that a child does not get: a child of a process that has used one of them waits for
these threads for ever, once it uses it, too. Such a worker puts the job back, and becomes a new worker that has
used neither, by `exec`: the same process id, options and environment.
"""

import logging
import os
import sys
from typing import Never

from django.db import connections

logger = logging.getLogger(__name__)

THREADED = frozenset({"polars", "torch"})


def has_threads() -> bool:
    """Whether this process has loaded what computes in threads of its own."""
    return not THREADED.isdisjoint(sys.modules)


def is_worker() -> bool:
    """Whether this process is a worker and nothing else, as a test that calls the command is not."""
    return sys.argv[1:2] == ["worker"]


def begin_anew() -> Never:
    logger.info("the worker begins anew, to do a job apart from what computes in threads")
    connections.close_all()
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 -- itself
