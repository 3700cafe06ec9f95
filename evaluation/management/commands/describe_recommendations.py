"""Whether lists of items are more than accurate, from files: nothing is stored."""

import argparse
import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from annotation.formats.problems import Problems
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output
from evaluation.engine.beyond.description import ListDescription
from evaluation.engine.beyond.sources import catalogue_of, relevant_of
from evaluation.formats.beyond import described, described_log, lists_as_facts, lists_as_table
from evaluation.formats.log.catalogue import Asked, read_asked, read_catalogue, read_history
from evaluation.management.command_options import engine_errors
from evaluation.management.files import read_qrels, read_runs, refuse_two_stdins, write_text
from evaluation.management.vector_files import VECTOR_FORMS, file_errors, read_vector_file

K = 10
ROWS = "CSV, TSV, JSONL or Parquet"

Table = TypeVar("Table")


class Command(TouchstoneCommand):
    help = (
        "Describe recommendations, or results of a shop's search, beyond the order of a list: zero results, coverage, "
        "exposure, popularity, novelty, diversity, serendipity. docs/beyond_ranking.md says what the figures mean."
    )
    examples = (
        "touchstone describe_recommendations recommended.run --items items.csv --truth bought.txt --k 3",
        "touchstone describe_recommendations shop.run --items items.csv --asked queries.tsv --json",
        "touchstone describe_recommendations a.run b.run --items items.csv --vectors items.npy --history seen.csv",
        "touchstone describe_recommendations --asked queries.tsv",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "described", REFUSED: "refused: a file has problems, or files do not belong together"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("runs", nargs="*", metavar="run", help="a person or query is a topic, an item a document")
        parser.add_argument("--items", metavar="FILE", help=f"{ROWS}: item, popularity, category; else --vectors")
        parser.add_argument("--truth", metavar="FILE", help="qrels: what people wanted, for the hit rate")
        parser.add_argument("--history", metavar="FILE", help=f"{ROWS}: person, item; for serendipity")
        parser.add_argument("--vectors", metavar="FILE", help=f"of the items: {VECTOR_FORMS}")
        parser.add_argument("--vector-ids", metavar="FILE", help="their ids, one a line, if not beside them")
        parser.add_argument(
            "--asked",
            metavar="FILE",
            help=f"{ROWS}: everybody who was answered, and how often; without a run also with how many results",
        )
        parser.add_argument("--k", type=int, default=K, metavar="N", help="of each list; default: %(default)s")
        add_output(parser)

    def handle(self, *, runs: list[str], k: int, output: str | None, force: bool, **options: Any) -> None:
        refuse_two_stdins(runs)
        if k < 1:
            raise MisuseError("--k is at least 1.")
        target = checked_output(output, force=force)
        asked = _read(options["asked"], read_asked) if options["asked"] else None
        if runs:
            descriptions = self._of_runs(runs, asked, k, options)
        elif asked is not None and not any(options[name] for name in ("items", "truth", "history", "vectors")):
            with engine_errors():
                descriptions = {Path(options["asked"]).stem: described_log(asked)}
        else:
            raise MisuseError("Name a run, or --asked alone for a log that says how many results each query had.")
        facts = [lists_as_facts(tag, one) for tag, one in descriptions.items()]
        tables = [lists_as_table(tag, one) for tag, one in descriptions.items()]
        text = json.dumps(facts, ensure_ascii=False, indent=2) if self.as_json else "\n\n".join(tables)
        write_text(text + "\n", target, self.stdout, force=force)

    def _of_runs(
        self, runs: list[str], asked: Asked | None, k: int, options: dict[str, Any]
    ) -> dict[str, ListDescription]:
        if not (options["items"] or options["vectors"]):
            raise MisuseError("--items or --vectors: a catalogue is needed.")
        items = _read(options["items"], read_catalogue) if options["items"] else None
        vectors = read_vector_file(options["vectors"], options["vector_ids"]) if options["vectors"] else None
        with engine_errors():
            catalogue = catalogue_of(items, vectors)
        history = options["history"] and _read(options["history"], partial(read_history, catalogue=catalogue))
        truth = relevant_of(read_qrels(options["truth"], self.stderr), catalogue) if options["truth"] else None
        descriptions = {}
        for run in read_runs(runs, self.stderr):
            with engine_errors():
                descriptions[run.tag] = described(run, catalogue, k=k, asked=asked, relevant=truth, history=history)
        return descriptions


def _read(name: str, read: Callable[[Path, Problems], Table]) -> Table:
    with file_errors(name):
        return read(Path(name), Problems(Path(name).name))
