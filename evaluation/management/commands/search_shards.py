"""A run from vectors of queries and a corpus in parts, on one machine or a cluster."""

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Any, cast, get_args

from annotation.formats.problems import FormatError
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output, written
from annotation.kernel.commands.progress import Progress
from evaluation.engine.vectors.exact import Similarity
from evaluation.formats.run_export import run_trec
from evaluation.formats.shards.search import Executor, in_this_process, search_shards
from evaluation.formats.shards.store import Store
from evaluation.formats.shards.work import Request, store_queries
from evaluation.management.command_options import engine_errors
from evaluation.management.files import FAULTS
from evaluation.management.vector_files import VECTOR_FORMS, read_vector_file

K = 100


class Command(TouchstoneCommand):
    help = (
        "Find the nearest documents of each query in a corpus that lies in parts, exactly, and write them as a run: "
        "the same as `search_vectors` of all parts together. A part that has been searched is not searched again, also "
        "after a stop; the results stay in the folder that is named for them."
    )
    examples = (
        "touchstone search_shards queries.npy corpus/ --results found/ -o dense.run",
        "touchstone search_shards queries.npy corpus/ --results found/ --workers 2 -o dense.run",
        "touchstone search_shards q.npy s3://us/corpus --results s3://us/found --cluster tcp://head:8786 -o dense.run",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "written", REFUSED: "refused: a part has problems, or parts do not fit; what was searched stays"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("queries", help=VECTOR_FORMS)
        parser.add_argument("corpus", help="the folder of the parts, each in such a form; or its address for fsspec")
        parser.add_argument("--results", required=True, metavar="FOLDER", help="for what is found in each part")
        parser.add_argument("--query-ids", metavar="FILE", help="ids of the queries, one a line, if not beside them")
        parser.add_argument("--k", type=int, default=K, metavar="N", help="documents of each query; %(default)s")
        parser.add_argument("--similarity", choices=get_args(Similarity), default="cosine", help="default: %(default)s")
        parser.add_argument("--exclude-self", action="store_true", help="a document with the id of its query stays out")
        where = parser.add_mutually_exclusive_group()
        where.add_argument("--workers", type=int, metavar="N", help="so many processes on this machine, by Dask")
        where.add_argument("--cluster", metavar="ADDRESS", help="the scheduler of a Dask cluster that is there")
        parser.add_argument("--tag", help="what the run is called; the similarity, if none")
        add_output(parser)

    def handle(
        self, *, queries: str, corpus: str, results: str, k: int, output: str | None, force: bool, **options: Any
    ) -> None:
        target, workers = checked_output(output, force=force), options["workers"]
        if k < 1 or (workers is not None and workers < 1):
            raise MisuseError("A search takes a --k of at least 1, and --workers of at least 1.")
        similarity = cast("Similarity", options["similarity"])
        numbers, query = read_vector_file(queries, options["query_ids"], zero_rows=similarity != "cosine")
        bar = Progress(self.stderr)
        with _executor(workers, options["cluster"]) as (executor, threads), _refusals():
            sha = store_queries(Store(results), query, numbers)
            request = Request(corpus, results, sha, k, similarity, options["exclude_self"], threads)
            found = search_shards(
                request, executor, progress=lambda done, total: bar(done, total, f"{done} of {total} parts")
            )
        bar.end()
        run = found.run if options["tag"] is None else replace(found.run, tag=options["tag"])
        if target is None:
            for piece in run_trec(run):
                self.stdout.write(piece.decode(), ending="")
        else:
            written(run_trec(run), target, force=force)
        self.stderr.write(f"{found.n_parts} parts, {found.n_searched} of them searched now: {run.n_rows} rows")


@contextmanager
def _executor(workers: int | None, address: str | None) -> Iterator[tuple[Executor, int]]:
    """`(executor, threads of a worker)`; 0: as many as it has by itself."""
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
        raise MisuseError(f"Workers need {error.name}: pip install 'touchstone[cluster]'.") from error
    except (TimeoutError, OSError) as error:
        raise MisuseError(str(error)) from error


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        with engine_errors():
            yield
    except RefusedError as refused:
        fault = refused.__cause__
        if not isinstance(fault, FormatError):
            raise
        raise RefusedError(f"{fault.found} problems; nothing was written.", problems=fault.problems[:FAULTS]) from fault
