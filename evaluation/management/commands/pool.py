"""A pool from the tops of runs, from a file of pairs, or without either, with the checks of the pages."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.corpus.read.texts import visible_topics
from annotation.corpus.steps.pooling import create_pool_from_file, report_unknown
from annotation.formats.pairs import read_pairs
from annotation.formats.problems import FormatError, Problems
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.files import STREAM, name_of, opened
from annotation.kernel.commands.naming import add_collection, cleaned, collection_named, named, require_valid, trial
from annotation.kernel.commands.progress import Progress
from annotation.kernel.forms import ALL, LISTED
from annotation.models import Collection, Pool
from annotation.text.counted import counted
from annotation.text.watch import Watch
from evaluation.engine.without_runs import ALL as ALL_PAIRS
from evaluation.engine.without_runs import BM25, SAMPLE
from evaluation.management.pool_corpus import add_corpus, bring_pooled
from evaluation.pooling.forms import WithoutRunsForm
from evaluation.pooling.steps.without_runs import create_pool_without_runs
from evaluation.runs.forms import PoolForm
from evaluation.runs.read import runs_of
from evaluation.runs.steps.pooling import create_pool_from_runs, pooled_docnos

DEPTH = 10


class Command(TouchstoneCommand):
    help = (
        "Make a pool: the first documents of each run for each topic, in the runs' fused order; or a file's pairs; or, "
        "where there are no runs, all pairs, a random sample, or the tops of the built-in BM25."
    )
    examples = (
        "touchstone pool bees 'depth 20' --depth 20 --run bm25 --run dense",
        "touchstone pool bees 'depth 20' --run bm25 --depth 20 --corpus passages.jsonl",
        "cut -f 1,2 pairs.tsv | touchstone pool bees by-hand --pairs - --dry-run --json",
        "touchstone pool bees start --bm25 50",
        "touchstone pool bees check --sample 20 --seed 7 --topic 301",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "stored, or with --dry-run: would be stored",
            REFUSED: "refused: the file has problems or the name is taken; nothing was stored",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("name", help="what the pool is called")
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("--run", action="append", metavar="TAG", help="a run by its tag, as often as wanted")
        source.add_argument(
            "--pairs",
            metavar="FILE",
            help="topic number and docno, two columns; plain or gzip; - for the standard input",
        )
        source.add_argument("--all-pairs", action="store_true", help="each topic with each document")
        source.add_argument("--sample", type=int, metavar="N", help="N documents a topic, drawn at random")
        source.add_argument("--bm25", type=int, metavar="N", help="the first N documents a topic, by the built-in BM25")
        parser.add_argument("--seed", type=int, help="of --sample: the same draws the same documents (default: 0)")
        parser.add_argument(
            "--unknown",
            choices=["refuse", "skip"],
            default="refuse",
            help="pairs of the file whose topic or document is not there: refuse it (default), or leave them aside",
        )
        parser.add_argument("--depth", type=int, help=f"documents from the top of each run (default: {DEPTH})")
        parser.add_argument("--topic", action="append", help="a topic by its number, as often as wanted; all, if none")
        parser.add_argument("--dry-run", action="store_true", help="say what would be stored, and store nothing")
        add_corpus(parser)

    def handle(self, *, collection: str, name: str, pairs: str | None, dry_run: bool, **options: Any) -> None:
        target = collection_named(collection)
        try:
            with trial(dry_run=dry_run):
                pool, brought = self._pool(target, name, pairs, options)
                facts = _facts(pool, stored=not dry_run) | ({"brought": brought} if options["corpus"] else {})
        except FormatError as refused:
            message = f"{refused.total} problem{'s' if refused.total > 1 else ''}; nothing was stored."
            raise RefusedError(message, problems=refused.problems) from refused
        stored = "would be stored" if dry_run else "stored"
        words = f"{stored}: {name}, {counted(facts['pairs'], 'pair')} of {counted(facts['topics'], 'topic')}"
        words += f", and {counted(brought, 'document')} of the corpus" if options["corpus"] else ""
        self.answer(words, facts)

    def _pool(self, collection: Collection, name: str, pairs: str | None, options: dict[str, Any]) -> tuple[Pool, int]:
        """The pool, and how many documents came in for it."""
        if options["seed"] is not None and options["sample"] is None:
            raise MisuseError("--seed goes with --sample.")
        if options["corpus"] and (pairs == STREAM or not (pairs or options["run"])):
            raise MisuseError("--corpus goes with --run, and with --pairs and the name of a file.")
        with Progress(self.stderr) as bar:
            if pairs:
                return _from_file(collection, name, pairs, options, bar)
            if options["run"]:
                return _from_runs(collection, name, options, bar)
            return _without_runs(collection, name, options, bar), 0


def _from_file(
    collection: Collection, name: str, file: str, options: dict[str, Any], bar: Progress
) -> tuple[Pool, int]:
    if options["depth"] is not None or options["topic"]:
        raise MisuseError("--depth and --topic go with --run.")
    name = cleaned(PoolForm, "name", name, "name")
    if Pool.objects.filter(collection=collection, name=name).exists():
        raise RefusedError("The collection already has a pool of this name.")
    brought = 0
    if options["corpus"]:
        docnos = _docnos_in(file, collection, skip_unknown=options["unknown"] == "skip")
        brought = bring_pooled(collection, docnos, {**options, "name": name}, bar)
    with opened(file) as stream:
        pool = create_pool_from_file(
            collection,
            name=name,
            stream=stream,
            filename=name_of(file),
            created_by=None,
            skip_unknown=options["unknown"] == "skip",
        )
    return pool, brought


def _docnos_in(file: str, collection: Collection, *, skip_unknown: bool) -> set[str]:
    """Those that stand beside topics of the collection. Lines that no pool takes are refused here, before anything
    comes in."""
    problems = Problems(name_of(file))
    with opened(file) as stream:
        rows = list(read_pairs(stream, problems))
    topics = set(visible_topics(collection).values_list("number", flat=True))
    if not skip_unknown:
        report_unknown(rows, topics, {row.docno for row in rows}, problems)
    problems.check()
    return {row.docno for row in rows if row.number in topics}


def _from_runs(collection: Collection, name: str, options: dict[str, Any], bar: Progress) -> tuple[Pool, int]:
    here = {run.tag: run for run in runs_of(collection)}
    entered = {
        "name": name,
        "runs": [run.pk for run in named("run", options["run"], here)],
        "depth": DEPTH if options["depth"] is None else options["depth"],
        "topics": LISTED if options["topic"] else ALL,
        "numbers": " ".join(options["topic"] or []),
    }
    collection_numbers = set(visible_topics(collection).values_list("number", flat=True))
    form = PoolForm(entered, collection=collection, runs=runs_of(collection), collection_numbers=collection_numbers)
    require_valid(form)
    chosen = {field: form.cleaned_data[field] for field in ("name", "depth", "numbers")}
    runs, brought = list(form.cleaned_data["runs"]), 0
    if options["corpus"]:
        docnos = pooled_docnos(runs, depth=chosen["depth"], numbers=chosen["numbers"])
        brought = bring_pooled(collection, docnos, {**options, "name": chosen["name"]}, bar)
    return create_pool_from_runs(collection, runs=runs, created_by=None, **chosen), brought


def _without_runs(collection: Collection, name: str, options: dict[str, Any], report: Watch) -> Pool:
    if options["depth"] is not None:
        raise MisuseError("--depth goes with --run.")
    way = ALL_PAIRS if options["all_pairs"] else SAMPLE if options["sample"] is not None else BM25
    entered = {
        "name": name,
        "way": way,
        "per_topic": options["bm25"] if options["sample"] is None else options["sample"],
        "seed": options["seed"],
        "numbers": " ".join(options["topic"] or []),
    }
    form = WithoutRunsForm(entered, collection=collection)
    require_valid(form)
    numbers = form.cleaned_data["numbers"]
    return create_pool_without_runs(
        collection,
        name=form.cleaned_data["name"],
        recipe=form.recipe(),
        numbers=numbers,
        created_by=None,
        report=report,
    )


def _facts(pool: Pool, *, stored: bool) -> dict[str, Any]:
    counts: dict[str, int] = {}
    for number in pool.pairs.order_by("topic").values_list("topic__number", flat=True):
        counts[number] = counts.get(number, 0) + 1
    return {
        "stored": stored,
        "name": pool.name,
        "pairs": pool.n_pairs,
        "topics": len(counts),
        "fewest": min(counts.values(), default=0),
        "most": max(counts.values(), default=0),
        "origin": pool.origin,
    }
