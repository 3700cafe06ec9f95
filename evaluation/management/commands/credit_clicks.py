"""What clicks on interleaved lists prefer, from files: nothing is stored."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from annotation.formats.problems import Problems
from annotation.kernel.commands.base import DONE, REFUSED, TouchstoneCommand
from evaluation.engine.interleaving.counting import tally
from evaluation.engine.interleaving.drawing import method_named
from evaluation.engine.interleaving.preferences import preferences_of
from evaluation.engine.significance.corrections import Correction
from evaluation.formats.interleaving import preferences_as_facts, preferences_as_text, read_lists
from evaluation.formats.log.interleaved import read_clicked
from evaluation.management.command_options import engine_errors
from evaluation.management.files import read_beside_log
from evaluation.management.vector_files import file_errors

LOG_FORMS = "CSV, TSV, JSONL or Parquet: a row a click, with topic number, list, and position or docno"


class Command(TouchstoneCommand):
    help = (
        "Credit clicks on interleaved lists to the rankers: wins, ties apart, and whether a preference was shown. "
        "docs/interleaving.md says what the figures mean."
    )
    examples = (
        "touchstone credit_clicks lists.jsonl clicks.csv",
        "touchstone credit_clicks lists.jsonl clicks.parquet --confidence 0.99 --json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "credited", REFUSED: "refused: a file has problems, or there is no click"}
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("lists", help="what `interleave` has written")
        parser.add_argument("log", help=LOG_FORMS)
        parser.add_argument("--confidence", type=float, default=0.95, help="default: %(default)s")
        parser.add_argument(
            "--correction", choices=get_args(Correction), default="holm", help="over pairs; default: %(default)s"
        )

    def handle(self, *, lists: str, log: str, confidence: float, correction: Correction, **_options: Any) -> None:
        shown = read_beside_log(lists, read_lists, self.stderr)
        method = method_named(shown.method, shown.parameters)
        with file_errors(log):
            row, clicked = read_clicked(Path(log), Problems(Path(log).name), shown)
        with engine_errors():
            counted = tally(shown, method, row, clicked)
            interleaving = preferences_of(counted, method=shown.method, confidence=confidence, correction=correction)
        self.answer(preferences_as_text(interleaving), preferences_as_facts(interleaving))
