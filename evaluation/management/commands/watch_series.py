"""Whether a series has left its history, from a file: nothing is stored."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from annotation.formats.problems import Problems
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, TouchstoneCommand
from evaluation.engine.drift.watch import BLOCK, DRAWS, RATE, watch
from evaluation.formats.log.series import MEANINGS, read_series
from evaluation.formats.series import series_as_facts, series_as_words
from evaluation.management.command_options import columns_by_meaning, engine_errors
from evaluation.management.vector_files import file_errors

NAMES = " and ".join(meaning.name for meaning in MEANINGS)
ALARM = 3  # exit code
SEED = 42


class Command(TouchstoneCommand):
    help = (
        "Watch a series for a change, by CUSUM and Page–Hinkley with thresholds from its own history at a stated rate "
        "of false alarms. docs/drift.md says what an alarm means."
    )
    examples = (
        "touchstone watch_series nightly.csv",
        "touchstone watch_series nightly.csv --history 90 --rate 0.01 --json",
        "touchstone watch_series nightly.jsonl --column value=ndcg --block 7",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "no alarm",
            REFUSED: "refused: the file has problems, or its history is too short",
            ALARM: "there is an alarm",
        }
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("series", help=f"CSV, TSV, JSONL or Parquet: {NAMES}, in order of time")
        parser.add_argument("--column", action="append", default=[], metavar="MEANING=NAME", help=f"which is {NAMES}")
        parser.add_argument(
            "--history", type=int, metavar="N", help="the first N points, without a change; default: half of them"
        )
        parser.add_argument("--rate", type=float, default=RATE, help="of any false alarm, in all points; %(default)s")
        parser.add_argument(
            "--block", type=int, default=BLOCK, metavar="N", help="points drawn in a row, where they follow each other"
        )
        parser.add_argument("--draws", type=int, default=DRAWS, metavar="N", help="for the thresholds; %(default)s")
        parser.add_argument("--seed", type=int, default=SEED, help="of the draws; %(default)s")

    def handle(
        self,
        *,
        series: str,
        column: list[str],
        history: int | None,
        rate: float,
        block: int,
        draws: int,
        seed: int,
        **_options: object,
    ) -> None:
        if seed < 0 or draws < 1:
            raise MisuseError("--seed is at least 0, and --draws at least 1.")
        with file_errors(series):
            table = read_series(Path(series), Problems(Path(series).name), columns_by_meaning(column, MEANINGS, NAMES))
        n_history = table.value.size // 2 if history is None else history
        with engine_errors():
            outcome = watch(table.value, n_history, seed=seed, rate=rate, n_draws=draws, block=block)
        self.answer(series_as_words(outcome, table), series_as_facts(outcome, table))
        if outcome.is_alarm:
            self.stdout.flush()
            sys.exit(ALARM)
