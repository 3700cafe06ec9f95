"""A run from vectors of queries and of documents, from files: nothing is stored."""

import argparse
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import cast, get_args

import numpy as np

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output, written
from annotation.kernel.commands.progress import Progress
from evaluation.engine.backend import backend_for
from evaluation.engine.reference.models import sampled_rows
from evaluation.engine.vectors.exact import Similarity
from evaluation.engine.vectors.run_of_nearest import own_documents, run_of
from evaluation.engine.vectors.sampled import SampledMean, sampled_means
from evaluation.engine.vectors.search import Blocks, search
from evaluation.formats.run_export import run_jsonl, run_trec
from evaluation.management.command_options import engine_errors, measures_of
from evaluation.management.files import read_qrels
from evaluation.management.vector_files import VECTOR_FORMS, read_vector_file

WRITERS = {"trec": run_trec, "jsonl": run_jsonl}
K, SEED = 1000, 42
MEASURES = ("nDCG@10", "R@100")


class Command(TouchstoneCommand):
    help = (
        "Find the nearest documents of each query, exactly, by their vectors, and write them as a run. "
        "Nothing is stored; `import run` brings the result in, `evaluate` reads it."
    )
    examples = (
        "touchstone search_vectors queries.f32.npy docs.f32.npy -o dense.run",
        "touchstone search_vectors docs.npy docs.npy --exclude-self --k 10 --similarity euclidean -o twins.run",
        "touchstone search_vectors queries.npy docs.npy --sample 1000 --qrels qrels.txt -m R@10 -o some.run",
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
        parser.add_argument("--sample", type=int, metavar="N", help="only so many queries, drawn at random")
        parser.add_argument("--seed", type=int, default=SEED, help="of what is drawn; %(default)s")
        parser.add_argument("--qrels", metavar="FILE", help="say what the search is worth, with its interval")
        parser.add_argument(
            "--measure", "-m", action="append", metavar="NAME", help=f"with --qrels; {' '.join(MEASURES)} unless named"
        )
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
        sample: int | None,
        seed: int,
        qrels: str | None,
        measure: list[str] | None,
        tag: str | None,
        device: str,
        format: str | None,  # noqa: A002 (the option's name)
        output: str | None,
        force: bool,
        **_options: object,
    ) -> None:
        target, name = checked_output(output, force=force), tag or similarity
        if min(k, 1 if sample is None else sample, seed + 1) < 1 or len(name.split()) != 1 or name != name.strip():
            raise MisuseError("--k and --sample are at least 1, --seed is at least 0, and a tag has no blanks.")
        with engine_errors(MisuseError):
            backend_for(device)
        measures = measures_of(measure or MEASURES)
        judged = read_qrels(qrels, self.stderr) if qrels else None
        zero_rows = similarity != "cosine"
        numbers, query = read_vector_file(queries, query_ids, zero_rows=zero_rows)
        docno, document = read_vector_file(documents, document_ids, zero_rows=zero_rows)
        n_all, rng = len(numbers), np.random.default_rng(seed)
        if sample is not None:
            row = sampled_rows(n_all, sample, rng)
            numbers, query = [numbers[one] for one in row.tolist()], query[row]
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
                progress=lambda done, total: progress(done, total, f"{done:,} of {total:,} pairs"),
            )
        progress.end()
        run = run_of(nearest, numbers, docno, name).packed
        pieces = WRITERS[format or ("jsonl" if self.as_json else "trec")](run)
        if target is None:
            for piece in pieces:
                self.stdout.write(piece.decode(), ending="")
        else:
            written(pieces, target, force=force)
        if judged is not None:
            self._say_worth(lambda: sampled_means(run, judged, measures, drawn=numbers, n_all=n_all, rng=rng))
        words = f"{similarity} of {len(numbers)} queries and {len(docno)} documents, {query.shape[1]} dimensions"
        self.stderr.write(f"{words}: {run.n_rows} rows")

    def _say_worth(self, estimate: Callable[[], list[SampledMean]]) -> None:
        with engine_errors():
            means = estimate()
        for one in means:
            self.stderr.write(_in_words(one))


def _in_words(one: SampledMean) -> str:
    ends = f"[{one.interval.low:.4f}, {one.interval.high:.4f}]"
    return f"{one.measure} {one.interval.mean:.4f}, 95 % interval {ends}, from {one.n_drawn} of {one.n_all} queries"
