"""Where a command has its work done: in this process, by workers of this machine, on a cluster."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from annotation.formats.problems import FormatError
from annotation.kernel.commands.base import MisuseError, RefusedError
from evaluation.formats.shards.finished import Executor, in_this_process
from evaluation.management.command_options import engine_errors
from evaluation.management.files import FAULTS


def add_where(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, metavar="N", help="so many processes on this machine, by Dask")
    where.add_argument("--cluster", metavar="ADDRESS", help="the scheduler of a Dask cluster that is there")


@contextmanager
def executor_at(workers: int | None, address: str | None) -> Iterator[tuple[Executor, int]]:
    """`(executor, threads of a worker)`; 0: as many as it has by itself."""
    if workers is not None and workers < 1:
        raise MisuseError("--workers is at least 1.")
    if workers is None and address is None:
        yield in_this_process, 0
        return
    try:
        from evaluation.management import cluster

        at = cluster.local_workers(workers) if workers else cluster.workers_at(str(address))
        threads = cluster.threads_each(workers) if workers else cluster.ALL_CORES
        with at as client:
            yield cluster.on(client), threads
    except ModuleNotFoundError as error:
        raise MisuseError(f"Workers need {error.name}: pip install '.[cluster]' in Touchstone's folder.") from error
    except (TimeoutError, OSError) as error:
        raise MisuseError(str(error)) from error


@contextmanager
def refusals_of_parts(*addresses: str) -> Iterator[None]:
    """What is wrong with parts, or with what was asked of them, ends the command; so does what lies behind one of the
    addresses."""
    try:
        with engine_errors():
            yield
    except RefusedError as refused:
        fault = refused.__cause__
        if not isinstance(fault, FormatError):
            raise
        message = f"{fault.total} problem{'s' if fault.total > 1 else ''}; nothing was written."
        raise RefusedError(message, problems=fault.problems[:FAULTS]) from fault
    except OSError as fault:
        raise MisuseError(f"{fault.filename or ' or '.join(addresses)}: {fault.strerror or fault}") from fault
