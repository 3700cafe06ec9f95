"""Work done by Dask's workers: on this machine, or on a cluster that is there (requirements-cluster.txt)."""

import logging
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, TypeVar

from evaluation.formats.shards.finished import Executor

if TYPE_CHECKING:
    from distributed import Client

TRIES = 5  # of one piece of work whose workers die, each after as many deaths as Dask allows it
SETTINGS = {
    "distributed.scheduler.allowed-failures": 10,
    "distributed.worker.memory.terminate": False,
    # Dask's own choice gives memory back at once: taking it anew, page by page, doubles the seconds of a search.
    "distributed.nanny.pre-spawn-environ": {},
}
ALL_CORES = -1

Work = TypeVar("Work")
Done = TypeVar("Done")


@contextmanager
def local_workers(n_workers: int) -> "Iterator[Client]":
    """So many processes on this machine, which are started anew when they die; gone with the block."""
    import dask
    from distributed import Client, LocalCluster

    with dask.config.set(SETTINGS):
        with _deaf_to_ctrl_c():
            cluster = LocalCluster(
                n_workers=n_workers,
                threads_per_worker=1,
                memory_limit=0,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
        with cluster as workers, Client(workers) as client:
            yield client


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes and threads that begin within do not hear Ctrl-C, which a terminal sends to all processes: who began
    them ends them. Here it is heard when the block ends."""
    resource_tracker.ensure_running()  # lets the signal through again in the thread that starts it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def workers_at(address: str) -> "Iterator[Client]":
    """Those of the scheduler at `tcp://host:8786`; they have Touchstone and reach the files. Raises `OSError`."""
    from distributed import Client

    with Client(address, timeout=20) as client:
        yield client


def threads_each(n_workers: int) -> int:
    """How many threads each of so many processes on this machine may have."""
    return max(1, (os.cpu_count() or 1) // n_workers)


def on(client: "Client") -> Executor:
    """Work is given to whoever is free, and again where a worker dies; what a function raises ends all of it."""

    def each(function: Callable[[Work], Done], works: Sequence[Work]) -> Iterable[Done]:
        from distributed import KilledWorker, as_completed

        left = {client.submit(function, work, pure=False): (work, TRIES) for work in works}
        done = as_completed(list(left))
        try:
            for future in done:
                work, tries = left.pop(future)
                try:
                    result = future.result()
                except KilledWorker:
                    if tries == 1:
                        raise
                    again = client.submit(function, work, pure=False)
                    left[again] = (work, tries - 1)
                    done.add(again)
                    continue
                yield result
        finally:
            client.cancel(list(left))

    return each
