"""A run from vectors of queries and of documents, from files: nothing is stored."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import cast, get_args

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output, written
from annotation.kernel.commands.progress import Progress
from evaluation.engine.backend import backend_for
from evaluation.engine.vectors.exact import Similarity
from evaluation.engine.vectors.run_of_nearest import own_documents, run_of
from evaluation.engine.vectors.search import Blocks, search
from evaluation.formats.run_export import run_jsonl, run_trec
from evaluation.management.command_options import engine_errors
from evaluation.management.vector_files import VECTOR_FORMS, read_vector_file

WRITERS = {"trec": run_trec, "jsonl": run_jsonl}
K = 1000


class Command(TouchstoneCommand):
    help = (
        "Find the nearest documents of each query, exactly, by their vectors, and write them as a run. "
        "Nothing is stored; `import run` brings the result in, `evaluate` reads it."
    )
    examples = (
        "touchstone search_vectors queries.f32.npy docs.f32.npy -o dense.run",
        "touchstone search_vectors docs.npy docs.npy --exclude-self --k 10 --similarity euclidean -o twins.run",
        "touchstone search_vectors queries.parquet docs.parquet --similarity inner --device cuda -o dense.run",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "written", REFUSED: "refused: a file has problems, or the vectors do not fit; nothing was written"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("queries", help=VECTOR_FORMS)
        parser.add_argument("documents", help="the same forms")
        parser.add_argument("--query-ids", metavar="FILE", help="ids of the queries, one a line, if not beside them")
        parser.add_argument("--document-ids", metavar="FILE", help="the same for the documents")
        parser.add_argument("--k", type=int, default=K, metavar="N", help="documents of each query; %(default)s")
        parser.add_argument(
            "--similarity",
            choices=get_args(Similarity),
            default="cosine",
            help="inner: the inner product; euclidean: the distance, negated (default: %(default)s)",
        )
        parser.add_argument("--exclude-self", action="store_true", help="a document with the id of its query stays out")
        parser.add_argument("--tag", help="what the run is called; the similarity, if none")
        parser.add_argument("--device", default="cpu", help="where the rough product is computed: cpu, cuda")
        parser.add_argument("--format", choices=list(WRITERS), help="default: trec; jsonl, with --json")
        add_output(parser)

    def handle(  # the options of the command line, by name
        self,
        *,
        queries: str,
        documents: str,
        query_ids: str | None,
        document_ids: str | None,
        k: int,
        similarity: str,
        exclude_self: bool,
        tag: str | None,
        device: str,
        format: str | None,  # noqa: A002 (the option's name)
        output: str | None,
        force: bool,
        **_options: object,
    ) -> None:
        target, name = checked_output(output, force=force), tag or similarity
        if k < 1 or len(name.split()) != 1 or name != name.strip():
            raise MisuseError("A search takes a --k of at least 1, and a tag without blanks.")
        with engine_errors(MisuseError):
            backend_for(device)
        zero_rows = similarity != "cosine"
        numbers, query = read_vector_file(queries, query_ids, zero_rows=zero_rows)
        docno, document = read_vector_file(documents, document_ids, zero_rows=zero_rows)
        progress = Progress(self.stderr)
        with engine_errors():
            nearest = search(
                query,
                document,
                docno,
                k=k,
                similarity=cast("Similarity", similarity),
                own=own_documents(numbers, docno) if exclude_self else None,
                blocks=Blocks(device=device),
                progress=lambda done, total: progress(done, total, f"{done * 100 // total} % of the pairs"),
            )
        progress.end()
        run = run_of(nearest, numbers, docno, name).packed
        pieces = WRITERS[format or ("jsonl" if self.as_json else "trec")](run)
        if target is None:
            for piece in pieces:
                self.stdout.write(piece.decode(), ending="")
        else:
            written(pieces, target, force=force)
        said = f"{similarity} of {len(numbers)} queries and {len(docno)} documents, {query.shape[1]} dimensions"
        self.stderr.write(f"{said}: {run.n_rows} rows")
