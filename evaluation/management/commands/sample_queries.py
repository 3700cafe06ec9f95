"""A stratified sample of a query log as topics, from files: nothing is stored."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from annotation.formats.problems import Problems
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output, written
from evaluation.engine.sampling.allocation import Allocation, Rounding, Rule, allocate
from evaluation.formats.log.queries import FREQUENCY, Division, QueryLog, read_query_log
from evaluation.formats.log.query_sample import as_text, manifest, sampled, strata_rows
from evaluation.formats.values import aligned
from evaluation.management.command_options import add_seed, engine_errors
from evaluation.management.vector_files import file_errors

LOG_FORMS = "CSV, TSV or JSONL, plain or gzip, or Parquet, with a column of queries and, if there is one, of counts"


class Command(TouchstoneCommand):
    help = (
        "Draw a stratified sample of a query log as topics, with inclusion probabilities. Nothing is stored; "
        "docs/samples.md says how to divide, and how many to take."
    )
    examples = (
        "touchstone sample_queries log.tsv --total 500 -o topics.tsv --manifest sample.json",
        "touchstone sample_queries log.jsonl --total 300 --by market --rule equal --minimum 20 -o topics.tsv",
        "touchstone sample_queries log.tsv --total 10000 --head 1000 --torso 99000 --minimum 100 --dry-run",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "drawn, or with --dry-run: could be drawn",
            REFUSED: "refused: the log has problems, or the sample cannot be drawn; nothing was written",
        }
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("log", help=LOG_FORMS)
        parser.add_argument("--total", type=int, required=True, metavar="N", help="topics wanted")
        add_division(parser)
        add_allocation(parser)
        parser.add_argument("--prefix", default="", metavar="TEXT", help="before the numbers of the topics")
        parser.add_argument("--manifest", metavar="FILE", help="write there what the sample can be rebuilt from")
        add_seed(parser)
        parser.add_argument("--dry-run", action="store_true", help="say how many each stratum gives; draw nothing")
        add_output(parser, "the topics, as TSV")

    def handle(self, *, dry_run: bool, force: bool, seed: int, prefix: str, **options: Any) -> None:
        targets = [checked_output(options[name], force=force) for name in ("output", "manifest")]
        division = division_of(options)
        log = read_log_file(options["log"], division)
        with engine_errors():
            allocation = allocation_of(log, options)
        for note in allocation.notes:
            self.stderr.write(note)
        if dry_run:
            self.answer(table_of(log, allocation), {"strata": strata_rows(log, allocation), "n": allocation.n})
            return
        with file_errors(options["log"]):
            topics = sampled(log, allocation, seed=seed, prefix=prefix)
        facts = manifest(log, division, allocation, topics, seed=seed)
        written(topics.lines(), targets[0], force=force)
        if targets[1]:
            written([as_text(facts).encode()], targets[1], force=force)
        if targets[0]:
            self.answer(table_of(log, allocation), facts)


def add_division(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--by", default=FREQUENCY, metavar="COLUMN", help="strata: head, torso and tail (default), or a column's values"
    )
    parser.add_argument(
        "--head",
        type=float,
        default=1 / 3,
        metavar="N",
        help="the head: so many queries, or below 1 such a share of the traffic; default: a third",
    )
    parser.add_argument("--torso", type=float, default=1 / 3, metavar="N", help="the same of the torso")
    parser.add_argument("--query-column", default="", metavar="NAME", help="which column holds the queries")
    parser.add_argument("--count-column", default="", metavar="NAME", help="which says how often each was asked")


def add_allocation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rule", choices=get_args(Rule), default="proportional", help="default: %(default)s")
    parser.add_argument("--minimum", type=int, default=0, metavar="N", help="of each stratum; default: %(default)s")
    parser.add_argument(
        "--deviation", action="append", metavar="STRATUM=SD", help="for neyman: how much values vary; one a stratum"
    )
    parser.add_argument(
        "--oversample", action="append", metavar="STRATUM=TIMES", help="so many times its share, beyond the total"
    )
    parser.add_argument(
        "--rounding",
        choices=get_args(Rounding),
        default="largest_remainder",
        help="floor cuts fractions off, as tutorials do, and falls short of the total; default: %(default)s",
    )


def division_of(options: Mapping[str, Any]) -> Division:
    return Division(
        by=options["by"],
        head=options["head"],
        torso=options["torso"],
        query=options["query_column"],
        count=options["count_column"],
    )


def read_log_file(name: str, division: Division) -> QueryLog:
    with engine_errors(), file_errors(name):
        return read_query_log(Path(name), Problems(Path(name).name), division)


def allocation_of(log: QueryLog, options: Mapping[str, Any]) -> Allocation:
    return allocate(
        log.size,
        options["total"],
        rule=options["rule"],
        minimum=options["minimum"],
        deviation=_by_stratum(options["deviation"], "--deviation"),
        oversample=_by_stratum(options["oversample"], "--oversample"),
        rounding=options["rounding"],
    )


def _by_stratum(pairs: list[str] | None, option: str) -> dict[str, float] | None:
    by_stratum = dict[str, float]()
    for pair in pairs or []:
        name, _, number = pair.rpartition("=")
        try:
            by_stratum[name] = float(number)
        except ValueError as fault:
            raise MisuseError(f"{option} {pair}: STRATUM=NUMBER is expected") from fault
    return by_stratum or None


def table_of(log: QueryLog, allocation: Allocation) -> str:
    rows = [
        [one["stratum"], f"{one['queries']:,}", f"{one['traffic']:,}", f"{one['n']:,}", f"{one['probability']:.4g}"]
        for one in strata_rows(log, allocation)
    ]
    total = ["all", f"{log.row.size:,}", f"{sum(log.traffic.values()):,}", f"{allocation.n:,}", ""]
    return "\n".join(aligned([["stratum", "queries", "traffic", "topics", "probability"], *rows, total], n_names=1))
