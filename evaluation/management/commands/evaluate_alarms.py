"""Whether an anomaly detector's alarms are worth having, from a file of scores: nothing is stored."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from annotation.formats.problems import Problems
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from evaluation.engine.beyond.alarm_description import FALSE_RATE, describe_alarms
from evaluation.engine.beyond.detectors import NEIGHBOURS
from evaluation.formats.beyond import alarms_as_facts, alarms_as_table, scored_items
from evaluation.formats.log.alarms import MEANINGS, AlarmTable, read_alarms
from evaluation.formats.log.catalogue import read_anomalies
from evaluation.management.command_options import columns_by_meaning, engine_errors
from evaluation.management.files import read_run
from evaluation.management.vector_files import file_errors, read_vector_file

NAMES = ", ".join(meaning.name for meaning in MEANINGS)


class Command(TouchstoneCommand):
    help = (
        "Evaluate an anomaly detector's scores: detection at a rate of false alarms, areas, cost beside never "
        "alarming, time to detection. docs/beyond_ranking.md says what the figures mean."
    )
    examples = (
        "touchstone evaluate_alarms scores.csv",
        "touchstone evaluate_alarms scores.csv --threshold 0.5 --false-alarm 100 --miss 10000 --json",
        "touchstone evaluate_alarms scores.parquet --column positive=is_chargeback --false-rate 0.001",
        "touchstone evaluate_alarms --vectors items.npy --anomalies odd.csv --neighbour 5",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "evaluated", REFUSED: "refused: the file has problems, or has no anomaly, or nothing else"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("scores", nargs="?", help=f"CSV, TSV, JSONL or Parquet: {NAMES} (the last two as wanted)")
        parser.add_argument("--run", metavar="FILE", help="or a run, for its scores; with --anomalies")
        parser.add_argument("--vectors", metavar="FILE", help="or vectors: suspect is what lies far from all others")
        parser.add_argument("--vector-ids", metavar="FILE", help="their ids, one a line, if not beside them")
        parser.add_argument(
            "--anomalies", metavar="FILE", help="whether each item of them is an anomaly: item, positive"
        )
        parser.add_argument(
            "--neighbour", type=int, default=NEIGHBOURS, metavar="K", help="distance to the K-th; default: %(default)s"
        )
        parser.add_argument(
            "--column", action="append", default=[], metavar="MEANING=NAME", help=f"which column is {NAMES}"
        )
        parser.add_argument(
            "--false-rate", type=float, default=FALSE_RATE, help="of false alarms, at most; default: %(default)s"
        )
        parser.add_argument("--threshold", type=float, help="alarm above it: for cost and time to detection")
        parser.add_argument("--false-alarm", type=float, metavar="COST", help="what a false alarm costs")
        parser.add_argument("--miss", type=float, metavar="COST", help="what a missed anomaly costs")

    def handle(self, *, scores: str | None, column: list[str], **options: Any) -> None:
        sources = [name for name in (scores, options["run"], options["vectors"]) if name]
        if len(sources) != 1 or bool(scores) == bool(options["anomalies"]):
            raise MisuseError("Name a file of scores, or --run or --vectors with --anomalies.")
        table = _scored(scores, column) if scores else self._of_items(options)
        with engine_errors():
            description = describe_alarms(
                table.score,
                table.positive,
                time=table.time,
                event=table.event,
                **{name: options[name] for name in ("false_rate", "threshold", "false_alarm", "miss")},
            )
        self.answer(alarms_as_table(description), alarms_as_facts(description))

    def _of_items(self, options: dict[str, Any]) -> AlarmTable:
        """Scores of a run, or distances of vectors, with what items truly are."""
        with file_errors(options["anomalies"]):
            positive = read_anomalies(Path(options["anomalies"]), Problems(Path(options["anomalies"]).name))
        run = read_run(options["run"], self.stderr) if options["run"] else None
        vectors = read_vector_file(options["vectors"], options["vector_ids"]) if options["vectors"] else None
        with engine_errors():
            return scored_items(run, vectors, positive, neighbour=options["neighbour"])


def _scored(name: str, column: list[str]) -> AlarmTable:
    with file_errors(name):
        return read_alarms(Path(name), Problems(Path(name).name), columns_by_meaning(column, MEANINGS, NAMES))
