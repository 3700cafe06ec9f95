"""Whether lists of items are more than accurate, from files: nothing is stored."""

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from annotation.formats.problems import Problems
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output
from evaluation.engine.arrays import Ints
from evaluation.engine.beyond.description import describe_lists
from evaluation.engine.beyond.lists import Catalogue, lists_of
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.formats.beyond import lists_as_facts, lists_as_table
from evaluation.formats.log.catalogue import read_asked, read_catalogue, read_history
from evaluation.management.command_options import engine_errors
from evaluation.management.files import read_qrels, read_runs, refuse_two_stdins, write_text
from evaluation.management.vector_files import VECTOR_FORMS, file_errors, read_vector_file

K = 10
ROWS = "CSV, TSV, JSONL or Parquet"


class Command(TouchstoneCommand):
    help = (
        "Describe recommendations, or results of a shop's search, beyond the order of a list: zero results, coverage, "
        "exposure, popularity, novelty, diversity, serendipity. docs/beyond_ranking.md says what the figures mean."
    )
    examples = (
        "touchstone describe_recommendations recommended.run --items items.csv --truth bought.txt --k 3",
        "touchstone describe_recommendations shop.run --items items.csv --asked queries.tsv --json",
        "touchstone describe_recommendations a.run b.run --items items.csv --vectors items.npy --history seen.csv",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "described", REFUSED: "refused: a file has problems, or files do not belong together"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("runs", nargs="+", metavar="run", help="a person or query is a topic, an item a document")
        parser.add_argument("--items", required=True, metavar="FILE", help=f"{ROWS}: item, popularity, category")
        parser.add_argument("--truth", metavar="FILE", help="qrels: what people wanted, for the hit rate")
        parser.add_argument("--history", metavar="FILE", help=f"{ROWS}: person, item; for serendipity")
        parser.add_argument("--vectors", metavar="FILE", help=f"of the items: {VECTOR_FORMS}")
        parser.add_argument("--vector-ids", metavar="FILE", help="their ids, one a line, if not beside them")
        parser.add_argument("--asked", metavar="FILE", help=f"{ROWS}: everybody who was answered, and how often")
        parser.add_argument("--k", type=int, default=K, metavar="N", help="of each list; default: %(default)s")
        add_output(parser)

    def handle(
        self,
        *,
        runs: list[str],
        items: str,
        truth: str | None,
        history: str | None,
        asked: str | None,
        k: int,
        output: str | None,
        force: bool,
        **options: Any,
    ) -> None:
        refuse_two_stdins(runs)
        if k < 1:
            raise MisuseError("--k is at least 1.")
        target = checked_output(output, force=force)
        with file_errors(items):
            catalogue = read_catalogue(Path(items), Problems(Path(items).name))
        if options["vectors"]:
            catalogue = with_vectors(catalogue, *read_vector_file(options["vectors"], options["vector_ids"]))
        before = everybody = None
        if history:
            with file_errors(history):
                before = read_history(Path(history), Problems(Path(history).name), catalogue)
        if asked:
            with file_errors(asked):
                everybody = read_asked(Path(asked), Problems(Path(asked).name))
        relevant = relevant_of(read_qrels(truth, self.stderr), catalogue) if truth else None
        tables, facts = list[str](), list[object]()
        for run in read_runs(runs, self.stderr):
            with engine_errors():
                owners, shown = lists_in(run, everybody[0] if everybody else None)
                found = describe_lists(
                    lists_of(catalogue, owners, shown),
                    catalogue,
                    k=k,
                    relevant=relevant,
                    history=before,
                    weight=everybody[1] if everybody else None,
                )
            tables.append(lists_as_table(run.tag, found))
            facts.append(lists_as_facts(run.tag, found))
        text = json.dumps(facts, ensure_ascii=False, indent=2) if self.as_json else "\n\n".join(tables)
        write_text(text + "\n", target, self.stdout, force=force)


def with_vectors(catalogue: Catalogue, ids: list[str], vector: "np.ndarray[Any, np.dtype[np.float32]]") -> Catalogue:
    """Ends the command where an item has no vector; vectors of others are left aside."""
    place = {name: row for row, name in enumerate(ids)}
    missing = [name for name in catalogue.ids if name not in place]
    if missing:
        raise MisuseError(f"{len(missing)} items have no vector, as {missing[0]}")
    return replace(catalogue, vector=vector[[place[name] for name in catalogue.ids]])


def relevant_of(qrels: Qrels, catalogue: Catalogue) -> dict[str, Ints]:
    """Items of grade 1 or more by person; those that the catalogue lacks can be hit by no list."""
    place = {name: i for i, name in enumerate(catalogue.ids)}
    found: dict[str, list[int]] = {}
    for topic, docno, grade in zip(qrels.topic.tolist(), qrels.docno, qrels.grade.tolist(), strict=True):
        if grade >= 1:
            found.setdefault(qrels.numbers[topic], []).append(place.get(docno, -1))
    return {person: np.array(items, np.int64) for person, items in found.items()}


def lists_in(run: PackedRun, asked: list[str] | None) -> tuple[list[str], list[list[str]]]:
    """The lists of a run in its order, of those who were asked. Raises `ValueError` for a list of somebody else."""
    docno = list(run.docno)
    bounds = run.start.tolist()
    lists = {name: docno[a:b] for name, a, b in zip(run.numbers, bounds[:-1], bounds[1:], strict=True)}
    if asked is None:
        return list(lists), list(lists.values())
    if strangers := set(lists) - set(asked):
        raise ValueError(f"the run has a list for {min(strangers)}, who was not asked ({len(strangers)} of them)")
    return asked, [lists.get(name, []) for name in asked]
