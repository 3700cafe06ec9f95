"""A pool from the tops of runs, or from a file of pairs, with the checks of the pages."""

import argparse
import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import transaction

from annotation.corpus.read import visible_topics
from annotation.corpus.steps import create_pool_from_file
from annotation.formats.problems import FormatError
from annotation.models import Collection, Pool
from annotation.text.counted import counted
from evaluation.management.base import MISUSED, REFUSED, CollectionCommand, collection_named
from evaluation.runs.forms import ALL, LISTED, PoolForm
from evaluation.runs.read import runs_of
from evaluation.runs.steps import create_pool_from_runs

DEPTH = 10
HELP_END = """examples:
  python manage.py pool bees 'depth 20' --depth 20 --run bm25 --run dense
  python manage.py pool bees by-hand --pairs pairs.txt --dry-run --json

exit codes:
  0  stored, or with --dry-run: would be stored
  1  refused: the problems are on the standard error, nothing was stored
  2  the command cannot be carried out as given: no such collection, run or file, a name that is taken"""


class Command(CollectionCommand):
    help = "Make a pool: the first documents of each run for each topic, in the runs' fused order; or a file's pairs."
    help_end = HELP_END

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", help="what the pool is called")
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("--run", action="append", metavar="TAG", help="a run by its tag, as often as wanted")
        source.add_argument(
            "--pairs", type=Path, metavar="FILE", help="topic number and docno, two columns; plain or gzip"
        )
        parser.add_argument(
            "--unknown",
            choices=["refuse", "skip"],
            default="refuse",
            help="pairs of the file whose topic or document is not there: refuse it (default), or leave them aside",
        )
        parser.add_argument("--depth", type=int, help=f"documents from the top of each run (default: {DEPTH})")
        parser.add_argument("--topic", action="append", help="a topic by its number, as often as wanted; all, if none")
        parser.add_argument("--dry-run", action="store_true", help="say what would be stored, and store nothing")
        parser.add_argument("--json", dest="as_json", action="store_true", help="say it as one JSON object")

    def handle(
        self, *, collection: str, name: str, pairs: Path | None, dry_run: bool, as_json: bool, **options: Any
    ) -> None:
        target = collection_named(collection)
        try:
            with transaction.atomic() if dry_run else nullcontext():  # what is stored, in a short one of its own
                pool = _from_file(target, name, pairs, options) if pairs else _from_runs(target, name, options)
                facts = _facts(pool, stored=not dry_run)
                if dry_run:
                    transaction.set_rollback(True)
        except FormatError as refused:
            for problem in refused.problems:
                self.stderr.write(str(problem))
            plural = "s" if refused.found > 1 else ""
            raise CommandError(f"{refused.found} problem{plural}; nothing was stored.", returncode=REFUSED) from refused
        stored = "would be stored" if dry_run else "stored"
        words = f"{stored}: {name}, {counted(facts['pairs'], 'pair')} of {counted(facts['topics'], 'topic')}"
        self.stdout.write(json.dumps(facts, ensure_ascii=False) if as_json else words)


def _from_file(collection: Collection, name: str, file: Path, options: dict[str, Any]) -> Pool:
    if options["depth"] is not None or options["topic"]:
        raise CommandError("--depth and --topic go with --run.", returncode=MISUSED)
    if Pool.objects.filter(collection=collection, name=name).exists():
        raise CommandError("The collection already has a pool of this name.", returncode=MISUSED)
    try:
        with file.open("rb") as stream:
            return create_pool_from_file(
                collection,
                name=name,
                stream=stream,
                filename=file.name,
                created_by=None,
                skip_unknown=options["unknown"] == "skip",
            )
    except OSError as fault:
        raise CommandError(f"{file}: {fault.strerror}", returncode=MISUSED) from fault


def _from_runs(collection: Collection, name: str, options: dict[str, Any]) -> Pool:
    here = {run.tag: run for run in runs_of(collection)}
    unknown = [tag for tag in options["run"] if tag not in here]
    if unknown:
        raise CommandError(f"There is no run {unknown[0]} in this collection.", returncode=MISUSED)
    entered = {
        "name": name,
        "runs": [here[tag].pk for tag in options["run"]],
        "depth": DEPTH if options["depth"] is None else options["depth"],
        "topics": LISTED if options["topic"] else ALL,
        "numbers": " ".join(options["topic"] or []),
    }
    collection_numbers = set(visible_topics(collection).values_list("number", flat=True))
    form = PoolForm(entered, collection=collection, runs=runs_of(collection), collection_numbers=collection_numbers)
    if not form.is_valid():
        faults = form.errors.get_json_data().items()
        raise CommandError(
            "\n".join(f"{field}: {each['message']}" for field, those in faults for each in those), returncode=MISUSED
        )
    chosen = {field: form.cleaned_data[field] for field in ("name", "depth", "numbers")}
    return create_pool_from_runs(collection, runs=list(form.cleaned_data["runs"]), created_by=None, **chosen)


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
