"""Whether an anomaly detector's alarms are worth having, from a file of scores: nothing is stored."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from annotation.formats.problems import Problems
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from evaluation.engine.beyond.alarm_description import FALSE_RATE, describe_alarms
from evaluation.formats.beyond import alarms_as_facts, alarms_as_table
from evaluation.formats.log.alarms import MEANINGS, read_alarms
from evaluation.management.command_options import engine_errors
from evaluation.management.vector_files import file_errors

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
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "evaluated", REFUSED: "refused: the file has problems, or has no anomaly, or nothing else"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("scores", help=f"CSV, TSV, JSONL or Parquet: {NAMES} (the last two as wanted)")
        parser.add_argument(
            "--column", action="append", default=[], metavar="MEANING=NAME", help=f"which column is {NAMES}"
        )
        parser.add_argument(
            "--false-rate", type=float, default=FALSE_RATE, help="of false alarms, at most; default: %(default)s"
        )
        parser.add_argument("--threshold", type=float, help="alarm above it: for cost and time to detection")
        parser.add_argument("--false-alarm", type=float, metavar="COST", help="what a false alarm costs")
        parser.add_argument("--miss", type=float, metavar="COST", help="what a missed anomaly costs")

    def handle(self, *, scores: str, column: list[str], **options: Any) -> None:
        with file_errors(scores):
            table = read_alarms(Path(scores), Problems(Path(scores).name), _chosen(column))
        with engine_errors():
            found = describe_alarms(
                table.score,
                table.positive,
                time=table.time,
                event=table.event,
                **{name: options[name] for name in ("false_rate", "threshold", "false_alarm", "miss")},
            )
        facts = alarms_as_facts(found)
        self.answer(alarms_as_table(facts), facts)


def _chosen(pairs: list[str]) -> dict[str, str]:
    known = {meaning.name for meaning in MEANINGS}
    chosen = dict(pair.partition("=")[::2] for pair in pairs)
    if unknown := chosen.keys() - known:
        raise MisuseError(f"--column {min(unknown)}: there are {NAMES}.")
    return chosen
