"""A child process of the worker, for one job or one step: it ends with its parent and never returns."""

import ctypes
import logging
import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Never

from django.db import connection, connections

from annotation.kernel.jobs.attempt import JobRun
from annotation.kernel.jobs.limits import Limits
from annotation.kernel.jobs.restarting import has_threads, is_worker
from annotation.kernel.jobs.running import run_job

logger = logging.getLogger(__name__)

OUT_OF_MEMORY = 12  # exit status: the number of ENOMEM
BROKEN = 1

WORKER = 64 << 20  # bytes that a worker holds before it does anything
PR_SET_PDEATHSIG = 1


def start_child(run: JobRun, limits: Limits) -> tuple[int, int]:
    """Start the job in a child; its process id, and a descriptor that becomes readable when it has ended."""
    run.limits = limits
    parent = os.getpid()

    def work() -> None:
        """Signals are the worker's: told to end, the job is put back at its next report."""
        limit_memory(limits.memory << 20)
        run.stopping = _or_orphaned(run.stopping, parent)
        run_job(run)

    return _fork(work, f"job {run.job.token} ({run.job.kind})")


def do_apart(step: Callable[[], object], name: str) -> None:
    """Run a step of the worker in a child, with which the memory that it took ends. Raises `RuntimeError` where the
    child breaks off. Where this process is no worker, or has threads that a child would lack, the step is run here."""
    if not is_worker() or has_threads() or connection.in_atomic_block:
        step()
        return
    pid, ended = _fork(step, name)
    os.close(ended)
    _, status = os.waitpid(pid, 0)
    if status:
        raise RuntimeError(f"{name}: the child process ended with status {os.waitstatus_to_exitcode(status)}")


def _fork(work: Callable[[], object], name: str) -> tuple[int, int]:
    """The child's process id, and a descriptor that becomes readable when it has ended.

    No connection to the database may be shared, so all are closed; the parent opens its own again when it needs one.
    """
    connections.close_all()
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    ended, write_end = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(ended)
        _be_child(work, name, parent)
    os.close(write_end)
    return pid, ended


def _be_child(work: Callable[[], object], name: str, parent: int) -> Never:
    status = BROKEN
    try:
        _end_with(parent)
        work()
        status = 0
    except MemoryError:
        status = OUT_OF_MEMORY
    except BaseException:
        logger.exception("%s: its process breaks off", name)
    finally:
        os._exit(status)


def _end_with(parent: int) -> None:
    """On Linux the system kills the child when its parent dies, however that happens."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(BROKEN)


def _or_orphaned(stopping: Callable[[], bool], parent: int) -> Callable[[], bool]:
    """Elsewhere an orphan ends at its next report."""
    return lambda: os.getppid() != parent or stopping()


def limit_memory(size: int) -> None:
    """Let this process take so many bytes in all, of which a worker holds some before it begins.

    The limit of the system counts reserved addresses, too, of which an evaluation before may have left many. It is
    therefore set to what is reserved now and the room there is. A core file would hold people's texts: none is written.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform != "linux":
        return  # elsewhere the limit does not hold what is mapped
    limit = _reserved() + max(0, size - WORKER)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or limit < hard:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _reserved() -> int:
    """Bytes of private writable memory that this process has reserved; 0 where the system does not tell."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmData:"):
                return int(line.split()[1]) << 10
    return 0
