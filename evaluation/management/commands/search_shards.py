"""A run from vectors of queries and a corpus in parts, on one machine or a cluster."""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, cast, get_args

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output, written
from annotation.kernel.commands.progress import Progress
from evaluation.engine.vectors.exact import Similarity
from evaluation.formats.run_export import run_trec
from evaluation.formats.shards.search import search_shards
from evaluation.formats.shards.store import Store
from evaluation.formats.shards.work import SearchRequest, store_queries
from evaluation.management.executors import add_where, executor_at, refusals_of_parts
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
        "touchstone search_shards q.npy s3://lab/corpus --results s3://lab/found --cluster tcp://head:8786 -o out.run",
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
        add_where(parser)
        parser.add_argument("--tag", help="what the run is called; the similarity, if none")
        add_output(parser)

    def handle(
        self, *, queries: str, corpus: str, results: str, k: int, output: str | None, force: bool, **options: Any
    ) -> None:
        target = checked_output(output, force=force)
        if k < 1:
            raise MisuseError("A search takes a --k of at least 1.")
        similarity = cast("Similarity", options["similarity"])
        numbers, query = read_vector_file(queries, options["query_ids"], zero_rows=similarity != "cosine")
        bar = Progress(self.stderr)
        with (
            executor_at(options["workers"], options["cluster"]) as (executor, threads),
            refusals_of_parts(corpus, results),
        ):
            sha = store_queries(Store(results), query, numbers)
            request = SearchRequest(corpus, results, sha, k, similarity, options["exclude_self"], threads)
            search = search_shards(
                request, executor, progress=lambda done, total: bar(done, total, f"{done} of {total} parts")
            )
        bar.end()
        run = search.run if options["tag"] is None else replace(search.run, tag=options["tag"])
        if target is None:
            for piece in run_trec(run):
                self.stdout.write(piece.decode(), ending="")
        else:
            written(run_trec(run), target, force=force)
        self.stderr.write(f"{search.n_parts} parts, {search.n_searched} of them searched now: {run.n_rows} rows")
